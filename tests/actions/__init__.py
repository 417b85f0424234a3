"""The action and the workflows are what GitHub takes, and careful with what it gives them."""
