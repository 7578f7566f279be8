#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Add up the test results of tools/test.sh, print one closing line, and fail if anything failed.

    summarize_tests.py RESULTS NUMBER_OF_OTHER_CHECKS [NAME OF A FAILED STEP]...

RESULTS holds pytest's JUnit files. A step that failed without a failed test (lint, or a crashed pytest) counts as one.
"""

import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path


def main() -> int:
    results, other_checks, failed_steps = Path(sys.argv[1]), int(sys.argv[2]), len(sys.argv) - 3
    passed = failed = skipped = suites_with_failures = 0
    for file in results.glob("*.xml"):
        for suite in ElementTree.parse(file).getroot().iter("testsuite"):
            bad = int(suite.get("failures", 0)) + int(suite.get("errors", 0))
            suites_with_failures += bad > 0
            failed += bad
            skipped += int(suite.get("skipped", 0))
            passed += int(suite.get("tests", 0)) - bad - int(suite.get("skipped", 0))
    failed_otherwise = max(0, failed_steps - suites_with_failures)
    failed += failed_otherwise
    passed += max(0, other_checks - failed_otherwise)
    print(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
