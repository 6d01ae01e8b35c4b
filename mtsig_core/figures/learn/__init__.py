"""Pictures of the lessons: each takes the run of a simulation, as far as it has come."""
