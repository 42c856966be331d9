"""The evaluation of section 10 of the paper: simulated arenas, baselines, metrics, a report.

`scripts/evaluate` runs it. Numbers such as 10.4 are sections of the paper.
"""
