"""Tries signing in to a running sandbox, and what its records say, with libraries that the product does not use.

Usage: main.py FOLDER, with the sandbox's first line on stdin. One JSON object a case on stdout.
"""

import json
import sys

import authentication  # noqa: F401  registers its cases
import data_api  # noqa: F401  registers its cases
from harness import Service, run_cases

if __name__ == "__main__":
    run_cases(Service(json.loads(sys.stdin.readline()), sys.argv[1]))
