"""Publishing: the plan against the published tree, up to the commit. Pure but for the repository."""
