# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0
"""Reads what is written of audits as others do: documents.py PAGES SCHEMAS.

PAGES is the program that writes audits of hostile and of many kernels. Exit status 77, with the reason, where python
has no jsonschema.
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

try:
    import jsonschema
except ImportError:
    print("archgrid: skipped: no-jsonschema: install python3-jsonschema (./setup --dev)")
    sys.exit(77)

pages, schemas = sys.argv[1], pathlib.Path(sys.argv[2])
here = pathlib.Path(__file__).parent


def expect(truth, what):
    if not truth:
        sys.exit(f"not so: {what}")


def validator_of(path):
    schema = json.loads(path.read_text())
    jsonschema.Draft7Validator.check_schema(schema)
    return jsonschema.Draft7Validator(schema)


def expect_valid(validator, document, what):
    for error in validator.iter_errors(document):
        sys.exit(f"{what}: {'/'.join(map(str, error.absolute_path))}: {error.message[:300]}")


def check_junit(text, what):
    root = xml.etree.ElementTree.fromstring(text)
    suites = root.findall("testsuite")
    cases = root.findall("testsuite/testcase")
    expect(suites and cases, f"{what} has tests")
    for node, inside in [(root, cases)] + [(suite, suite.findall("testcase")) for suite in suites]:
        expect(int(node.get("tests")) == len(inside), f"{what}: tests are counted")
        for kind, name in [("failures", "failure"), ("errors", "error")]:
            found = sum(case.find(name) is not None for case in inside)
            expect(int(node.get(kind)) == found, f"{what}: {kind} are counted: {found}")
    for suite in suites:
        names = [case.get("name") for case in suite.findall("testcase")]
        expect(len(names) == len(set(names)), f"{what}: tests of a suite have different names")
        skipped = sum(case.find("skipped") is not None for case in suite.findall("testcase"))
        expect(int(suite.get("skipped")) == skipped, f"{what}: skipped tests are counted")
    expect(not root.findall(".//testcase/failure/*"), f"{what}: no markup of names in failures")
    return cases


def check_sarif(document, validator, what):
    expect_valid(validator, document, what)
    run = document["runs"][0]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    expect(len(rules) == len(set(rules)), f"{what}: each rule once")
    for result in run["results"]:
        expect(rules[result["ruleIndex"]] == result["ruleId"], f"{what}: {result['ruleId']} is the rule of its index")


def main():
    audits, sarif = validator_of(schemas / "archgrid-audit.schema.json"), validator_of(here / "sarif.schema.json")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        subprocess.run([pages, folder], check=True)
        for stem in ["package", "hostile", "big"]:
            audit = json.loads((folder / f"{stem}.json").read_text("utf-8"))
            concerned = sum(finding.get("kernels", 1) for finding in audit["findings"])
            counts = len(audit["files"][0]["kernels"]), concerned
            # The validator takes a millisecond per kernel.
            audit["files"][0]["kernels"] = audit["files"][0]["kernels"][::100]
            expect_valid(audits, audit, f"{stem}.json")
            document = json.loads((folder / f"{stem}.sarif").read_text("utf-8"))
            check_sarif(document, sarif, f"{stem}.sarif")
            text = (folder / f"{stem}.xml").read_text("utf-8")
            cases = check_junit(text, f"{stem}.xml")
        expect(counts[0] == 20000 and counts[1] > 20000, f"nothing is left out of JSON: {counts}")
        expect(len(cases) == 13, "one test for each of 13 devices")
        sizes = {kind: (folder / f"big.{kind}").stat().st_size for kind in ["html", "json", "xml", "sarif", "md"]}
        print("20,000 kernels x 13 devices:", ", ".join(f"{kind} {size / 1e6:.2f} MB" for kind, size in sizes.items()))
        # The checks detect errors.
        for planted in [text.replace("&lt;", "<", 1), text.replace("<testcase", "<testcase x='\x01'", 1)]:
            try:
                check_junit(planted, "planted")
            except xml.etree.ElementTree.ParseError:
                continue
            sys.exit("a planted fault in XML is not seen")
        document["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] = "a b"
        expect(not sarif.is_valid(document), "a planted fault in SARIF is seen")
        document = json.loads((folder / "hostile.json").read_text("utf-8"))
        document["files"][0]["kernels"][0]["reasons"] = {"9.0": ""}
        expect(not audits.is_valid(document), "a planted fault in JSON is seen")
    print("JSON, JUnit and SARIF are what their readers expect")


main()
