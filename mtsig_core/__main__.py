"""``python -m mtsig_core``: the command line."""

import sys

from mtsig_core.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
