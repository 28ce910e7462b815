"""What a problem is: workflow, cluster, failures, scenario and plan, all frozen and checked when made."""
