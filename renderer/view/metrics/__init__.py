"""What a run decided as numbers for Prometheus: OpenMetrics text, made of values, without a clock.

Whoever has something to tell makes `Measured` values and hands all of them to `openmetrics`:

    openmetrics((*decided(plan), *found(problems), *published(date, dates)), workspace="shop")

`families` names every metric there is; docs/metrics.md explains each, and a test holds both to the other.
`decided` reads a Plan, `told` takes what else there is to tell. What is not known is not measured: a family
without a `Measured` is not in the text, so that nobody takes "unknown" for 0. So a server that knows a commit
and no plan gives what it knows of it, by the same functions, and its answer has `CONTENT_TYPE`.
"""
