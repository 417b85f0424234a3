"""Explanations: readings of a Plan that answer "why?", as facts for programs and as text for people."""
