"""krender: Karmada's policy language, rendered to Git instead of run as a control plane."""

__version__ = "0.1.0"
