"""What Argo CD is given."""
