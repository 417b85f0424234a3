"""Tests of reading, admission and the inventory."""
