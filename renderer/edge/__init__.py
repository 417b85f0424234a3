"""The rim: files, Git, processes, terminal. Nothing here decides what is rendered."""
