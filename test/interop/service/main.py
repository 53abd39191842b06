"""Tries the rules of the documents against a running sandbox.

Usage: main.py FOLDER, with the sandbox's first line on stdin. One JSON object a case on stdout.
"""

import json
import sys

import authentication  # noqa: F401  registers its cases
import connect_api  # noqa: F401  registers its cases
import connect_validation  # noqa: F401  registers its cases
import data_api  # noqa: F401  registers its cases
from harness import Service, run_cases

if __name__ == "__main__":
    run_cases(Service(json.loads(sys.stdin.readline()), sys.argv[1]))
