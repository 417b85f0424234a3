"""Karmada's and Kubernetes' objects as frozen values, in their own words."""
