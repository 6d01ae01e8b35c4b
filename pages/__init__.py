"""Pages of the app, a folder for each navigation group."""
