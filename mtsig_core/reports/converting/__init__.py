"""An experiment as a run folder of any layout that others read, too."""
