"""What must differ in an object because of who applies it."""
