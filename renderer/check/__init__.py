"""Findings: what the user should know about the files, one module a family of rules."""
