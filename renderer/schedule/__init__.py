"""Where a resource template goes, with how many replicas, and why."""
