"""One module a question; every function answers with a frozen dataclass that has ``to_frame()``."""
