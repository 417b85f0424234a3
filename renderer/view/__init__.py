"""Readings of a Plan as text: problems, explanations, reports."""
