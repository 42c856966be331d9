"""The evaluation lives beside the scripts, outside the packages that are installed."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
