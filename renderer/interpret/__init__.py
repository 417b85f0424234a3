"""What a template means: its replicas, what they need, what it depends on, what to leave out."""
