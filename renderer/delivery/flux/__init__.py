"""What Flux is given."""
