"""Recorded answers of the real Karmada, and the runner that puts krender beside them."""
