"""What differs on which clusters: the rules that apply to an object, and the overriders they consist of."""
