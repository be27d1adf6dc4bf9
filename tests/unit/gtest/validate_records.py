# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0
"""python3 validate_records.py SCHEMA PROGRAM...: each program's record of its run is what the schema says.

Exit status 77, with the reason, where python has no jsonschema.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

try:
    import jsonschema
except ImportError:
    print("archgrid: skipped: no-jsonschema: install python3-jsonschema (./setup --dev)")
    sys.exit(77)

schema = json.loads(pathlib.Path(sys.argv[1]).read_text())
jsonschema.Draft7Validator.check_schema(schema)
validator = jsonschema.Draft7Validator(schema)
FILTER = "--gtest_filter=-Ends*:Library.*"
outcomes = set()
with tempfile.TemporaryDirectory() as folder:
    for number, program in enumerate(sys.argv[2:]):
        command = [program, FILTER, f"--archgrid_json={folder}/{number}/", "--archgrid_seed=3"]
        subprocess.run(command, stdout=subprocess.DEVNULL, check=False)
        records = list((pathlib.Path(folder) / str(number)).iterdir())
        assert len(records) == 1, f"{program} wrote {records}"
        record = json.loads(records[0].read_text())
        for error in validator.iter_errors(record):
            sys.exit(f"{program}: {error.json_path}: {error.message}")
        outcomes |= {test["outcome"] for test in record["tests"]}
        # The schema rejects an unknown outcome.
        record["tests"].append({"name": "A.a", "outcome": "fine", "seconds": 0, "launches": 0})
        assert not validator.is_valid(record)
missing = {"passed", "failed", "skipped", "empty", "missing-arch", "jitted", "not-run"} - outcomes
assert not missing, f"no record holds a test that is {missing}"
print(f"{len(sys.argv) - 2} programs write what the schema says")
