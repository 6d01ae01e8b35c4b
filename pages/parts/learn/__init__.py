"""What the lessons share: how one is declared, its controls, its address, and the frame that plays it."""
