"""From decisions to the published tree: paths, files, bindings."""
