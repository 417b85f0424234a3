"""What `krender serve` answers: a published commit's units, as two GitOps engines ask for them.

A `Site` turns a request into a response from values alone: a `Snapshot` of one commit, the `Ledger` of what
was answered before, and what is known of the last look at the branch.
"""
