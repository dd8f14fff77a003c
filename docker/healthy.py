"""Exit 0 when the address answers 200. The images have no curl."""

import sys
import urllib.request

with urllib.request.urlopen(sys.argv[1], timeout=3) as answer:
    sys.exit(0 if answer.status == 200 else 1)
