"""The command line: parse, one library call, print."""

import sys


def main() -> None:
    """Entry point of `tfrgnn`."""
    try:
        from tfrgnn.cli.app import app

        app()
    except KeyboardInterrupt:
        print("tfrgnn: interrupted", file=sys.stderr)
        sys.exit(130)
