"""Files in and out; each complains in one sentence that names the file, the place and the rule."""
