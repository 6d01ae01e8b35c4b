"""Meta-evaluation: do automatic tests and metrics agree with people?"""
