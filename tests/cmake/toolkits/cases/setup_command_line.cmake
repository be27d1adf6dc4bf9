# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks ./setup's help, and its errors for invalid arguments.
include("${CASE_SOURCE}/../support/stage.cmake")
ask_setup(help --help)
expect(help 0 "usage: ./setup" "--matrix FILE" "--dev" "--dry-run" "Examples: ./setup --matrix matrices/quick.json")
ask_setup(unknown --frobnicate)
expect(unknown 2 "unknown option --frobnicate" "--help")
ask_setup(no_file --matrix)
expect(no_file 2 "--matrix needs a file")
ask_setup(absent --matrix nowhere.json)
expect(absent 2 "matrix file nowhere.json does not exist")
file(WRITE "${CASE_BINARY}/broken.json" "{\"toolkits\": [\n")
ask_setup(broken --dry-run --matrix "${CASE_BINARY}/broken.json")
expect(broken 1 "broken.json: line 2, column 1: not JSON")
ask_setup(first_broken --dry-run --matrix "${CASE_BINARY}/broken.json" --matrix "${ARCHGRID_SOURCE}/matrices/test.json")
expect(first_broken 1 "broken.json: line 2, column 1: not JSON")
