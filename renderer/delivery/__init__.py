"""What Argo CD and Flux are given, from what a plan contains."""
