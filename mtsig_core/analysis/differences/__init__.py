"""Where two systems differ: by kind of segment, by kind of edit, by word. All replicas count."""
