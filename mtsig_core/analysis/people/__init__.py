"""What people judged: annotators, systems, and whether automatic tests and metrics agree with people.

Every analysis takes frames of judgements with the columns of `mtsig_core.loading.judgements.frame.JudgementTable`, or
arrays, never files.
"""
