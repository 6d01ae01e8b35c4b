"""What several layouts share: folders of test sets, folders of runs, and files whose segments have ids."""
