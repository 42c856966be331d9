"""`python -m plugin_bridge` is `adr-bridge`."""

import sys

from plugin_bridge.cli import main

sys.exit(main())
