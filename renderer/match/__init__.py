"""Which policy is about which template, and which cluster a selector admits."""
