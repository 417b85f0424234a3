"""Tests of the rim."""
