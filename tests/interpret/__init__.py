"""Tests of renderer/interpret."""
