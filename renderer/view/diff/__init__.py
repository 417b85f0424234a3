"""What changes from one published state to another: first the meaning, then the files, then the text."""
