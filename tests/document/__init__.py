"""Tests of reading, writing, finding and patching documents."""
