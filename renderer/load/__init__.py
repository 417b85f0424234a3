"""Files to model: reading, admission, and every problem of the input at its place."""
