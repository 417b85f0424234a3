"""Tests of the scripts of customizations."""
