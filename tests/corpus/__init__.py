"""Real manifests of other projects, which lie beside the repository and not in it."""
