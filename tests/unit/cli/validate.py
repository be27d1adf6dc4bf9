# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0
"""Validates what the command writes with --json: validate.py COMMAND SCHEMAS SAMPLES.

Exit status 77, with the reason, where python has no jsonschema.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import zipfile

try:
    import jsonschema
except ImportError:
    print("archgrid: skipped: no-jsonschema: install python3-jsonschema (./setup --dev)")
    sys.exit(77)

command, schemas, samples = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])


def output_of(*arguments, environment=None):
    run = subprocess.run([command, *map(str, arguments), "--json"], stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL, check=False, env=environment)
    return json.loads(run.stdout)


def validator_of(kind):
    schema = json.loads((schemas / f"archgrid-{kind}.schema.json").read_text())
    jsonschema.Draft7Validator.check_schema(schema)
    return jsonschema.Draft7Validator(schema)


def expect_valid(kind, document, what):
    for error in validator_of(kind).iter_errors(document):
        where = "/".join(map(str, error.absolute_path))
        sys.exit(f"{what}: {where}: {error.message}")


def inputs_of(folder):
    return sorted(path for path in folder.iterdir() if path.is_file())


def check_history():
    """A pip with one release that runs, and another that it cannot download."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        with zipfile.ZipFile(folder / "x-2.0-py3-none-any.whl", "w") as wheel:
            wheel.write(samples / "plain.o", "x/libx.so")
        pip = folder / "python3"
        pip.write_text(f"""#!/bin/sh
case "$*" in
*==0.0.0.dev*) echo "ERROR: Could not find a version (from versions: 1.0, 2.0)" >&2
    echo "ERROR: No matching distribution found for x" >&2; exit 1;;
*==2.0*) cp '{folder}'/x-2.0-py3-none-any.whl "$PWD";;
*) echo "ERROR: No matching distribution found for x" >&2; exit 1;;
esac
""")
        pip.chmod(0o755)
        environment = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"}
        history = output_of("audit", "pypi:x", "--gpu", "8.0", "--driver", "580", "--history", environment=environment)
    expect_valid("history", history, "history")
    assert [release["version"] for release in history["audited"]] == ["2.0", "1.0"], history
    assert history["driver"] == "580", history
    history["audited"][0]["answers"]["8.0"] = "fine"
    assert not validator_of("history").is_valid(history)


def check_evidence():
    """Evidence of one of a sample's kernels."""
    listed = output_of("list", samples / "plain.o", "--identity")
    image = next(image for image in listed["files"][0]["images"] if image["kind"] == "sass")
    kernel = next(kernel for kernel in image["kernels"] if "identity" in kernel)
    number = image["arch"].rstrip("af")
    device = f"{number[:-1]}.{number[-1]}"
    line = {"kernel": kernel["name"], "device": device, "arch": f"sm_{image['arch']}",
            "identity": kernel["identity"], "gpu": "X", "test": "x: A.b", "date": "2026-11-29"}
    expect_valid("evidence", line, "a line of evidence")
    assert not validator_of("evidence").is_valid({**line, "date": "today"})
    with tempfile.TemporaryDirectory() as folder:
        evidence = pathlib.Path(folder) / "evidence.jsonl"
        evidence.write_text(json.dumps(line) + "\n")
        shown = output_of("evidence", "show", samples / "plain.o", "--evidence", evidence)
    expect_valid("evidence-table", shown, "evidence show")
    states = {entry["kernel"]: entry["states"][device] for entry in shown["kernels"]}
    assert states[kernel["name"]] == "executed", states
    shown["kernels"][0]["states"][device] = "fine"
    assert not validator_of("evidence-table").is_valid(shown)


def check_lint():
    with tempfile.TemporaryDirectory() as name:
        (pathlib.Path(name) / "Dockerfile").write_text("FROM nvidia/cuda:11.8.0-devel\nENV CUDA_ARCHS='80;100'\n")
        (pathlib.Path(name) / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.20)\nproject(p CUDA)\n"
            "if(NOT CMAKE_CUDA_ARCHITECTURES)\nset(CMAKE_CUDA_ARCHITECTURES 75)\nendif()\n"
        )
        (pathlib.Path(name) / "Makefile").write_text("all:\n\tnvcc -arch=$(GPU) x.cu\n")
        document = output_of("lint", name)
    expect_valid("lint", document, "lint")
    assert document["faults"] == 2 and document["lists"][1]["unable"] == ["100"], document
    assert document["lists"][0]["late"] == {"line": 4, "since": 2}, document
    assert document["unread"] == [{"path": "Makefile", "line": 2}], document
    document["lists"][0]["line"] = 0
    assert not validator_of("lint").is_valid(document)


def check_init():
    with tempfile.TemporaryDirectory() as name:
        (pathlib.Path(name) / "CMakeLists.txt").write_text("project(p CUDA)\nadd_library(p k.cu)\n")
        document = output_of("init", name, "--toolkit", "13.0")
    expect_valid("init", document, "init")
    assert len(document["files"]) == 4 and not document["written"], document
    matrix = json.loads(next(file["text"] for file in document["files"] if file["path"] == "matrices/archgrid.json"))
    expect_valid("matrix", matrix, "the matrix of init")
    document["files"][0]["path"] = ""
    assert not validator_of("init").is_valid(document)


def perf_record(seconds, **more):
    run = {"build": "a", "date": "2026-02-01T12:30:00Z", "throttled": None, "throttle_reasons": [], "series": "s"}
    runs = [{**run, "pair": pair, "seconds": [seconds * (1 + pair % 5 / 1000)], **more} for pair in range(20)]
    key = {"gpu": "a card", "compute_capability": "9.0", "driver": "580.1", "toolkit": "13.0", "clocks": "default"}
    return {"schema": "archgrid.perf/1", "key": key, "ceilings": [{"name": "fp32", "unit": "FLOP/s", "per_second": 6e13}],
            "benchmarks": [{"name": "gemm", "cache": "hot", "bytes": 1, "flops": 2, "runs": runs}]}


def check_perf():
    """Records are as their schema says when they are read and when they are written."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        records = {"base": perf_record(1e-3), "slower": perf_record(2e-3, sm_clock_mhz=1980), "empty": perf_record(1e-3)}
        records["empty"]["benchmarks"][0]["runs"][0]["seconds"] = []
        records["empty"]["benchmarks"].append({**records["base"]["benchmarks"][0], "name": "new"})
        for kind, record in records.items():
            expect_valid("perf", record, kind)
            (folder / f"{kind}.json").write_text(json.dumps(record))
        for other in ["base", "slower", "empty"]:
            document = output_of("perf", "compare", folder / "base.json", folder / f"{other}.json")
            expect_valid("perf-compare", document, f"perf compare {other}")
        merged = folder / "merged.json"
        subprocess.run([command, "perf", "merge", merged, folder / "base.json", folder / "slower.json"], check=True)
        document = json.loads(merged.read_text())
        expect_valid("perf", document, "perf merge")
        assert len(document["benchmarks"][0]["runs"]) == 40
        # The schema and the reader reject the same values.
        for place, value in [("seconds", [0]), ("seconds", [-1]), ("pair", -1), ("date", "today"), ("throttled", "no"),
                             ("build", ""), ("sm_clock_mhz", 0), ("speed", 1)]:
            bad = perf_record(1e-3)
            bad["benchmarks"][0]["runs"][3][place] = value
            assert not validator_of("perf").is_valid(bad), place
            (folder / "bad.json").write_text(json.dumps(bad))
            refused = subprocess.run([command, "perf", "merge", folder / "out.json", folder / "bad.json"],
                                     stderr=subprocess.PIPE, text=True, check=False)
            assert refused.returncode == 2 and "benchmarks[0].runs[3]" in refused.stderr, (place, refused)


def check_report():
    """A job of each status, with cases of each outcome, and a file that cannot be read."""
    run = {"schema": "archgrid.gpu-tests/1", "test": "cu130-fat/gemm", "program": "gemm", "outcome": "failed", "code": "tests",
           "message": "1 failed", "gpu": {"name": "NVIDIA H100", "capability": "9.0", "ordinal": 0}, "uncounted": [],
           "kernels": {"judged": 0, "asked": 0, "seconds": 0, "findings": [], "disagreements": []},
           "tests": [{"name": f"A.{outcome}", "outcome": outcome, "seconds": 0, "launches": 1}
                     for outcome in ("passed", "failed", "skipped", "not-run", "empty", "jitted")]}
    runs = {"schema": "archgrid.gpu-runs/1", "runs": [run]}
    plan = output_of("matrix", schemas / "quick.json")
    plan["jobs"] = [{"name": f"sm{arch}", "device": f"{arch[:-1]}.{arch[-1]}", "preset": f"sm{arch}", "runner": ["gpu"],
                     "cells": [plan["cells"][0]["id"]]} for arch in ("80", "90")]
    expect_valid("plan", plan, "the plan of a report")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for path, text in {"jobs/junit-sm90/Testing/gpu-tests.json": json.dumps(runs),
                           "jobs/cpu/Testing/gpu-tests.json": json.dumps({**runs, "runs": [{**run, "fake": "no kernel", "outcome": "passed",
                                                                                          "tests": run["tests"][:1]}]}),
                           "jobs/cpu2/gpu.json": json.dumps({**run, "gpu": None, "outcome": "skipped", "tests": run["tests"][2:3]}),
                           "jobs/damaged/gpu.json": json.dumps(runs)[:200],
                           "plan.json": json.dumps(plan)}.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text)
        (folder / "jobs/build").mkdir()
        subprocess.run([command, "audit", samples / "plain.o", "--gpu", "9.0", "--accept", "native",
                        f"--json={folder}/jobs/build/audit.json"], stdout=subprocess.DEVNULL, check=False)
        report = output_of("report", "merge", folder / "jobs", "--expect", folder / "plan.json", "--allow-not-run", "cpu")
    expect_valid("report", report, "report merge")
    statuses = {job["name"]: job["status"] for job in report["jobs"]}
    assert statuses == {"sm80": "lost", "sm90": "failed", "build": "failed", "cpu": "not-run", "cpu2": "not-run",
                        "damaged": "failed"}, statuses
    assert report["summary"]["errors"] == 1 and not report["passes"], report["summary"]
    outcomes = {case["outcome"] for job in report["jobs"] for case in job["cases"]}
    assert outcomes == {"passed", "failed", "skipped", "not-run"}, outcomes
    report["jobs"][0]["status"] = "fine"
    assert not validator_of("report").is_valid(report)


def rows_of(page, heading):
    """The first cells, in backquotes, of the tables below a heading of a document."""
    section = re.split(r"^## ", page, flags=re.M)
    text = next(part for part in section if part.startswith(heading + "\n"))
    return [name for row in re.findall(r"^\| (`.*?) \|", text, flags=re.M) for name in re.findall("`(.*?)`", row)]


def check_rules(page, rules):
    """The tables of rules have those of the command, each in the table of its severity."""
    schema = json.loads((schemas / "archgrid-audit.schema.json").read_text())
    assert schema["definitions"]["finding"]["properties"]["rule"]["enum"] == [rule["rule"] for rule in rules]
    section = page[page.index("\n## Rules\n"):]
    errors, suspects = section.split("\n| suspect | evidence |\n")
    for severity, table in (("error", errors), ("suspect", suspects)):
        documented = set(rows_of("## Rules\n" + table if severity == "suspect" else table, "Rules"))
        known = {rule["rule"] for rule in rules if rule["severity"] == severity}
        assert documented == known, f"docs/findings.md, {severity}: {documented ^ known}"


def lists_of_verdicts(read):
    """The verdicts that each file lists, and those that each lets a promise accept; `read` returns a file's text."""
    listed = {"verdict.cpp": re.findall(r'"([a-z-]+)"', re.search(r"kNames = \{(.*?)\}",
                                                                read("harness/coverage/src/verdict.cpp"),
                                                                flags=re.S).group(1))}
    for name in ("audit", "diff", "suggest"):
        path = f"matrices/archgrid-{name}.schema.json"
        listed[path] = json.loads(re.search(r'"enum": (\["native",.*?\])', read(path)).group(1))
    listed["audit.css"] = re.findall(r"^\.([a-z-]+) \{ background: var\(--\1\)", read("harness/report/src/page/audit.css"),
                                     flags=re.M)
    promises = json.loads(read("matrices/archgrid-matrix.schema.json"))["properties"]["promises"]["items"]
    modules = read("cmake-modules/archgrid/detail/matrix_promises.cmake")
    accepted = {"archgrid-matrix.schema.json": promises["properties"]["accept"]["items"]["enum"],
                "matrix_promises.cmake": re.search(r"set\(acceptable (.*?)\)", modules).group(1).split()}
    return listed, accepted


def check_verdicts(acceptable, read):
    """All lists of verdicts are those of verdict.cpp, or those that --accept takes."""
    listed, accepted = lists_of_verdicts(read)
    known = listed["verdict.cpp"]
    for place, verdicts in listed.items():
        assert set(verdicts) == set(known), f"{place}: {set(verdicts) ^ set(known)}"
    letters = re.search(r"LETTERS = \[(.*?)\]", read("harness/report/src/page/audit.js")).group(1).split(",")
    assert len(letters) == len(known), f"LETTERS of audit.js: {letters} for {known}"
    for place, verdicts in accepted.items():
        assert verdicts == acceptable, f"{place}: {verdicts}, but --accept takes {acceptable}"


def check_verdict_lists(acceptable):
    """check_verdicts(), and that it sees a forgotten verdict in each file."""
    top = schemas.parent
    check_verdicts(acceptable, lambda path: (top / path).read_text())
    for forgetful, verdict in (("matrices/archgrid-diff.schema.json", '"jit", '),
                               ("matrices/archgrid-matrix.schema.json", '"jit", '),
                               ("cmake-modules/archgrid/detail/matrix_promises.cmake", "compatible jit"),
                               ("harness/report/src/page/audit.js", "'N', "),
                               ("harness/report/src/page/audit.css", ".missing {")):
        def planted(path):
            text = (top / path).read_text()
            if path != forgetful:
                return text
            assert verdict in text, f"{path} lacks {verdict}"
            return text.replace(verdict, "")
        try:
            check_verdicts(acceptable, planted)
        except AssertionError:
            continue
        raise SystemExit(f"a verdict that {forgetful} lacks is not seen")


def check_codes(codes, rules_of_command):
    """The documents and the CMake modules have the codes and the rules of the command."""
    top = schemas.parent
    known = {code["code"]: code for code in codes}
    ignorable = {name for name, code in known.items() if code["about"] in ("kernel", "file", "gpu")}
    modules = (top / "cmake-modules/archgrid/detail/matrix_promises.cmake").read_text()
    in_modules = re.search(r"set\(codes\s+(.*?)\)", modules, flags=re.S).group(1).split()
    assert set(in_modules) == ignorable, set(in_modules) ^ ignorable
    page = (top / "docs/findings.md").read_text()
    documented = rows_of(page, "Codes")
    assert len(documented) > 10 and set(documented) <= ignorable, documented
    check_rules(page, rules_of_command)
    without_one = page.replace("| `left-behind` |", "| |")
    try:
        check_rules(without_one, rules_of_command)
    except AssertionError:
        pass
    else:
        raise SystemExit("a rule that docs/findings.md lacks is not seen")
    rules = {rule["rule"] for rule in rules_of_command}
    of_promises = {"promised", "driver"}
    for name, code in known.items():
        evidence = set(code["evidence"])
        assert evidence <= rules, (name, evidence - rules)
        assert name in documented or evidence <= of_promises, f"docs/findings.md lacks {name}"


def main():
    files = inputs_of(samples)
    assert len(files) > 10, f"no samples in {samples}"
    with tempfile.TemporaryDirectory() as folder:
        cut = pathlib.Path(folder) / "cut.o"
        cut.write_bytes((samples / "plain.o").read_bytes()[:5000])
        empty = pathlib.Path(folder) / "empty"
        empty.write_bytes(b"")
        ignoring = pathlib.Path(folder) / "ignoring.json"
        ignoring.write_text(json.dumps({
            "name": "ignoring", "toolkits": [{"cuda": "13.5", "archs": ["80"]}],
            "promises": [{"devices": ["8.0", "9.0"]}],
            "budgets": [{"registers": 1}, {"spill_bytes": 0}, {"bytes_per_arch": 1}, {"kernels": "ghost", "registers": 1}],
            "ignore": [{"kernel": "*tile*", "reason": "tried"}, {"kernel": "ghost", "reason": "none"},
                       {"kernel": "over-budget:*trapping*", "reason": "meant"}, {"kernel": "stub:*", "reason": "none"}]}))
        project = pathlib.Path(folder) / "pyproject.toml"
        project.write_text('[tool.archgrid]\ndevices = ["8.0", "9.0"]\n')
        inputs = [*files, cut, empty]
        expect_valid("list", output_of("list", *inputs), "list")
        filtered = output_of("list", *inputs, "--arch", "80", "--kernel", "*tile*")
        expect_valid("list", filtered, "list --arch --kernel")
        diffs = [
            output_of("diff", samples / "plain.o", samples / "ptx.o"),
            output_of("diff", samples / "libsample.so", samples / "no_fatbin.so", "--driver", "580"),
            output_of("diff", cut, samples / "plain.o"),
        ]
        for diff in diffs:
            expect_valid("diff", diff, "diff")
        assert diffs[0]["lost"] and diffs[1]["lost"] and diffs[2]["errors"]
        diffs[0]["files"][0]["coverage"][0]["turn"] = "fine"
        assert not validator_of("diff").is_valid(diffs[0])
        audits = [
            output_of("audit", *inputs, "--device", "7.5,8.0,9.0,10.3", "--accept", "native,compatible"),
            output_of("audit", *inputs),
            output_of("audit", *inputs, "--gpu", "7.0,8.0,9.0"),
            output_of("audit", samples / "plain.o", "--matrix", ignoring, "--toolkit", "13.5"),
            output_of("audit", empty, "--device", "9.0"),
            output_of("audit", samples / "plain.o", "--device", "7.0,8.0", "--driver", "590", "--accept", "jit"),
            output_of("audit", samples / "plain.o", "--matrix", project),
            output_of("audit", samples / "sample.fatbin", "--ignore", "*guarded*=not for Turing"),
        ]
        for audit in audits:
            expect_valid("audit", audit, "audit")
        promised, alone, asked, ignored, unreadable, old, of_project, with_ignores = audits
        assert [finding["code"] for finding in with_ignores["ignored"]][:1] == ["empty"]
        assert "promised-by-project" in {note["code"] for note in of_project["notes"]}
        codes = {finding["code"] for finding in ignored["findings"]}
        assert {"over-budget", "unused-budget"} <= codes
        assert "driver-too-new-for-gpu" in {finding["code"] for finding in old["findings"]}
        assert ignored["ignored"] and promised["findings"] and unreadable["unreadable"]
        for audit in audits:
            assert audit["holds"] == (audit["summary"]["errors"] == 0), audit["summary"]
        assert any("rule" in finding for finding in alone["findings"])
        assert asked["answers"]["7.0"] == "does-not-run"
        # The schema rejects invalid documents.
        audits[0]["findings"][0]["code"] = "fine"
        assert not validator_of("audit").is_valid(audits[0])
    check_perf()
    expect_valid("plan", output_of("matrix", schemas / "quick.json"), "matrix")
    jobs = output_of("matrix", schemas / "default.json", "--build-jobs", "4")
    expect_valid("jobs", jobs, "matrix")
    jobs["build"][0]["cells"] = []
    assert jobs["test"] and not validator_of("jobs").is_valid(jobs)
    suggestions = [
        output_of("suggest", "--device", "7.0,8.0,12.0", "--accept", "native,jit", "--toolkit", "12.4"),
        output_of("suggest", "--device", "7.0,8.0,10.0", "--with", "100f", "--ptx", "--toolkit", "13.0"),
        output_of("suggest", "--matrix", schemas / "default.json"),
        output_of("suggest", "--device", "8.7,9.0", "--from", *inputs_of(samples)),
    ]
    for suggestion in suggestions:
        expect_valid("suggest", suggestion, "suggest")
    assert "fallback" in suggestions[1]["lists"][0] and suggestions[1]["findings"] and suggestions[3]["from"]["images"]
    suggestions[3]["from"]["images"][0]["kind"] = "fine"
    assert not validator_of("suggest").is_valid(suggestions[3])
    explained = [output_of("explain"), output_of("explain", "stub"), output_of("explain", "left-behind")]
    for document in explained:
        expect_valid("explain", document, "explain")
    assert len(explained[0]["codes"]) > 50 and list(explained[1]["codes"][0]["evidence"]) == ["promised", "no-sibling", "own-generation", "worked", "asked"]
    check_codes(explained[0]["codes"], explained[0]["rules"])
    completed = subprocess.run([command, "completion", "bash"], stdout=subprocess.PIPE, check=True, text=True).stdout
    check_verdict_lists(re.search(r'--accept\) words="(.*?)"', completed).group(1).split())
    explained[1]["codes"][0]["about"] = "fine"
    assert not validator_of("explain").is_valid(explained[1])
    check_evidence()
    check_history()
    check_lint()
    check_init()
    check_report()
    print("list, diff, audit, suggest, evidence, explain, history, lint, init, perf, report and matrix write what their schemas say")


main()
