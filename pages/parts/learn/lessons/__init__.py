"""What makes each lesson: its controls, and how they become a simulation, pictures and a sentence."""
