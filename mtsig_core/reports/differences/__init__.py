"""Where two systems differ, as tables and documents."""
