"""Tests of krender; the folders mirror those of the package."""
