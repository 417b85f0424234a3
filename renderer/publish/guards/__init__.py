"""What must not be published without a person's word: one module a guard, listed in `guards`."""
