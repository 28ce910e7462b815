"""Training the policy: scenarios, a teacher, and distillation. Needs the extra `train`."""
