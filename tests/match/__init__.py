"""Tests of renderer/match."""
