"""Tests of what is changed in objects because of who applies them."""
