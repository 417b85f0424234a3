"""The hooks for pre-commit, tried with the real pre-commit on real repositories."""
