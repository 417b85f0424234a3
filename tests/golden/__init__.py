"""Whole workspaces, and what must come of them byte for byte."""
