"""The command line: options in, the pipeline called, a view printed."""
