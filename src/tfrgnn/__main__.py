"""`python -m tfrgnn` is `tfrgnn`."""

from tfrgnn.cli import main

main()
