#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0
"""Checks that every key of the schema of matrix files has a description, from which its page of the site is written.

usage: schema.py ROOT    prints each key without one; exit code 1 if there is one
       schema.py --test  checks the checker itself, and the page
"""
import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "packaging" / "site"))
import schema_page  # noqa: E402


def test():
    schema = {
        "required": ["name"],
        "properties": {
            "name": {"description": "A name, with * and `*`.", "type": "string"},
            "limit": {"description": "Most bytes (docs/audit.md). Unstated: all. Not kept.", "type": "integer"},
            "gpus": {"$ref": "#/definitions/gpus"},
            "rows": {"description": "Rows.", "type": "array", "items": {
                "type": "object", "properties": {
                    "kind": {"description": "Kinds.", "oneOf": [{"const": "all"}, {"type": "array", "items": {"enum": ["a", "b"]}}]}}}},
            "labels": {"description": "By GPU.", "type": "object", "additionalProperties": {"type": "string"}},
        },
        "definitions": {"gpus": {"description": "GPUs.", "type": "array", "items": {"$ref": "#/definitions/gpu"}},
                        "gpu": {"type": "string"}},
    }
    assert schema_page.undescribed(schema) == []
    page = schema_page.page(schema, "Keys", "All.").splitlines()
    assert page[:3] == ["# Keys", "", "All."] and page.count("| key | type | default | meaning |") == 2 and "## `rows[]`" in page
    for row in (r"| `name` | string | *required* | A name, with \* and `*`. |",
                "| `limit` | integer | all | Most bytes ([audit](audit.md)). Not kept. |",
                "| `gpus` | list of strings | - | GPUs. |",
                "| `kind` | `\"all\"` or list of `a`, `b` | - | Kinds. |",
                "| `labels` | object with strings | - | By GPU. |"):
        assert row in page, (row, page)
    del schema["definitions"]["gpus"]["description"]
    schema["properties"]["rows"]["items"]["properties"]["kind"]["description"] = " "
    assert schema_page.undescribed(schema) == ["gpus", "rows[].kind"]


def check(root):
    schema = json.loads((root / "matrices" / "archgrid-matrix.schema.json").read_text())
    keys = sum(len(node["properties"]) for _, node in schema_page.objects(schema))
    if keys < 30:
        sys.exit(f"expected the keys of matrix files, found {keys}")
    return [f"{key}: write a description into archgrid-matrix.schema.json" for key in schema_page.undescribed(schema)]


if __name__ == "__main__":
    if sys.argv[1:] == ["--test"]:
        test()
    else:
        found = check(pathlib.Path(sys.argv[1]))
        print("\n".join(found))
        sys.exit(1 if found else 0)
