# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0
"""validate.py CMAKE FOLDER: the JSON Schemas accept what is right and refuse what archgrid_expand refuses.

Works in the fresh FOLDER; exit status 77, with the reason, where python has no jsonschema.
"""

import json
import pathlib
import shutil
import subprocess
import sys

try:
    import jsonschema
except ImportError:
    print("archgrid: skipped: no-jsonschema: install python3-jsonschema (./setup --dev)")
    sys.exit(77)

CMAKE = sys.argv[1]
FOLDER = pathlib.Path(sys.argv[2])
HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parents[2]
MODULES = TOP / "cmake-modules" / "archgrid"
failures = []


def refuse_repeated(pairs):
    keys = [key for key, _ in pairs]
    if len(keys) != len(set(keys)):
        raise ValueError(f"a key stands twice among {keys}")
    return dict(pairs)


def load(path):
    return json.loads(path.read_text(), object_pairs_hook=refuse_repeated)


def validator(kind):
    schema = load(TOP / "matrices" / f"archgrid-{kind}.schema.json")
    jsonschema.Draft7Validator.check_schema(schema)
    return jsonschema.Draft7Validator(schema)


def error_of(schema, path):
    try:
        return next((error.message for error in schema.iter_errors(load(path))), None)
    except ValueError as error:
        return f"not JSON: {error}"


def expect(accepted, schema, path):
    error = error_of(schema, path)
    if accepted and error:
        failures.append(f"{path}: refused: {error}")
    elif not accepted and not error:
        failures.append(f"{path}: accepted")


def cmake(*arguments):
    subprocess.run([CMAKE, *map(str, arguments)], check=True)


def plant(path, edit, schema):
    """A copy of the file that `edit` has changed must be refused."""
    document = load(path)
    edit(document)
    planted = FOLDER / "planted.json"
    planted.write_text(json.dumps(document))
    expect(False, schema, planted)


def check_matrices():
    schema = validator("matrix")
    plans = validator("plan")
    shipped = [path for path in (TOP / "matrices").glob("*.json") if not path.name.endswith(".schema.json")]
    if not shipped:
        failures.append("no matrix file is shipped")
    for path in [HERE / "whole.json", *shipped]:
        expect(True, schema, path)
        plan = FOLDER / f"{path.stem}.plan.json"
        cmake(f"-DMATRIX={path}", f"-DOUTPUT={plan}", "-P", MODULES / "expand.cmake")
        expect(True, plans, plan)
    plan = FOLDER / "whole.plan.json"
    plant(plan, lambda document: document.pop("audits"), plans)
    plant(plan, lambda document: document["cells"][0].update(kind="thin"), plans)
    plant(plan, lambda document: document["jobs"][0].update(device=9.0), plans)


def check_libraries():
    """The schema names just the libraries of the data table."""
    table = load(MODULES / "data" / "libraries.json")["libraries"]
    schema = load(TOP / "matrices" / "archgrid-matrix.schema.json")
    if [row["name"] for row in table] != schema["definitions"]["libraries"]["items"]["enum"]:
        failures.append("the schema names other libraries than data/libraries.json")


def check_edits():
    """The schema refuses the edits of refused.json, and accepts those that it cannot judge."""
    schema = validator("matrix")
    whole = (HERE / "whole.json").read_text()
    rows = load(HERE / "refused.json")
    beyond = [row for row in rows if row.get("schema") == "accepts"]
    if len(rows) - len(beyond) < 30 or len(beyond) < 15:
        failures.append(f"{len(rows)} edits, {len(beyond)} of them accepted, are fewer than there were")
    folder = FOLDER / "refused"
    folder.mkdir()
    for row in rows:
        path = folder / f"{row['name']}.json"
        if path.exists() or whole.find(row["replace"]) == -1 or whole.find(row["replace"]) != whole.rfind(row["replace"]):
            failures.append(f"{path}: its name or the text that it replaces is not unique")
            continue
        path.write_text(whole.replace(row["replace"], row["with"]))
        expect(row in beyond, schema, path)


def check_cells():
    schema = validator("cell")
    script = FOLDER / "cells.cmake"
    script.write_text(f"""include("{MODULES}/detail/cell_status.cmake")
_archgrid_mask_list_syntax("outside:/src/a[;b.so" outside)
_archgrid_mask_list_syntax("unreadable:x.whl!y.zip\tcut; or [worse" unreadable)
set(unaudited nvidia:libnccl.so outside:/src/a:b.so "${{outside}}" "${{unreadable}}")
_archgrid_write_cell_status("{FOLDER}/built.json" ID cu130-fat STATUS built STEP build SECONDS 1.5 LOG cells/cu130-fat.log
                            ARTIFACTS app lib/libx.so HANDMADE lib/libx.so UNNAMED lib/libx.so EXCLUDED bench UNAUDITED ${{unaudited}})
_archgrid_read_cell_status("{FOLDER}/built.json" read)
if(NOT "${{read_HANDMADE}} ${{read_UNNAMED}} ${{read_UNAUDITED}}" STREQUAL "lib/libx.so lib/libx.so ${{unaudited}}")
  message(FATAL_ERROR "read as ${{read_HANDMADE}} ${{read_UNNAMED}} ${{read_UNAUDITED}}")
endif()
_archgrid_write_cell_status("{FOLDER}/impossible.json" ID cu130-fat STATUS impossible STEP toolkit REASON "no \\"13.0\\"")
_archgrid_write_cell_status("{FOLDER}/other.json" ID cu130-fat STATUS excellent)
""")
    cmake("-P", script)
    expect(True, schema, FOLDER / "built.json")
    files = [tuple(file.values()) for file in json.loads((FOLDER / "built.json").read_text())["unaudited"]]
    if files[2:] != [("/src/a[;b.so", "outside"), ("x.whl!y.zip", "unreadable", "cut; or [worse")]:
        failures.append(f"files that are not audited are recorded as {files}")
    expect(True, schema, FOLDER / "impossible.json")
    expect(False, schema, FOLDER / "other.json")
    plant(FOLDER / "built.json", lambda document: document.pop("artifacts"), schema)
    plant(FOLDER / "built.json", lambda document: document.pop("excluded"), schema)
    plant(FOLDER / "built.json", lambda document: document.pop("unaudited"), schema)
    plant(FOLDER / "built.json", lambda document: document["unaudited"][0].update(why="whim"), schema)
    plant(FOLDER / "built.json", lambda document: document["unaudited"][3].update(reason=""), schema)


shutil.rmtree(FOLDER, ignore_errors=True)
FOLDER.mkdir(parents=True)
check_matrices()
check_libraries()
check_edits()
check_cells()
print("\n".join(failures))
sys.exit(1 if failures else 0)
