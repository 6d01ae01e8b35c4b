"""Background jobs with progress and cancel, the Dask cluster, and searches in a process of their own."""
