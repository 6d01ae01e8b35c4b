"""One module per format of human judgements; `mtsig_core.loading.judgements.find` lists them.

Each has a ``NAME``, ``recognises(file, lines)``, which looks at the first lines alone, and
``read(file, lines, report)``.
"""
