#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0
"""pipeline.py ROOT FOLDER BUILD COMMAND: runs matrix.yml and the actions of ROOT, from plan to report, with planted failures.

Works in the fresh FOLDER, with the command of the tree BUILD; exit status 77, with the reason, where Python has no YAML.
"""
import json
import os
import pathlib
import shutil
import sys
import zipfile

try:
    from runner import GitHub, pattern_of, run_action
except ImportError:
    print("archgrid: skipped: no-yaml: install python3-yaml (./setup --dev)")
    sys.exit(77)

ROOT, FOLDER, BUILD, COMMAND = map(pathlib.Path, sys.argv[1:])
WORKFLOW = ROOT / ".github" / "workflows" / "matrix.yml"
T4 = "0, Tesla T4, 7.5, 580.65.06, [N/A], Enabled, Enabled"
H100 = "0, NVIDIA H100 80GB HBM3, 9.0, 580.65.06, Disabled, Enabled, Enabled"
INPUTS = {"matrix": "matrix.json", "source": "source", "build-jobs": 2, "require-gpu": False, "driver": "580"}
RUNNERS = {"7.5": ["self-hosted", "linux", "gpu", "t4", "sm75"], "9.0": ["self-hosted", "linux", "gpu", "h100", "sm90"]}
SMI = """#!/bin/sh
[ -n "$FAKE_SMI" ] || { echo "NVIDIA-SMI has failed"; exit 9; }
echo "$FAKE_SMI"
"""


def expect(condition, what):
    if not condition:
        sys.exit(f"expected {what}")


def matrix(**changes):
    plan = {"name": "pipeline", "toolkits": [{"cuda": "13.5", "archs": ["75", "90"]}], "cells": ["single", "fat"],
            "definitions": {"ARCHGRID_ROOT": str(ROOT), "ArchGrid_DIR": str(BUILD)},
            "promises": [{"devices": ["7.5", "9.0"]}], "runners": RUNNERS}
    plan.update(changes)
    return plan


def github(name, text):
    """Returns a machine and a repository with the matrix file `text`."""
    folder = FOLDER / name
    project = folder / "repository"
    shutil.copytree(ROOT / "tests" / "e2e" / "pipeline", project / "source")
    (project / "matrix.json").write_text(json.dumps(text))
    tools = folder / "tools"
    tools.mkdir()
    (tools / "nvidia-smi").write_text(SMI)
    (tools / "nvidia-smi").chmod(0o755)
    environment = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}", "ARCHGRID_BUILD": str(BUILD),
                   "ARCHGRID_FAKE_DRIVER": "13.5"}
    machine = GitHub(ROOT, folder, project, environment)
    machine.machine = {"sm75": {"FAKE_SMI": T4, "ARCHGRID_FAKE_DEVICES": "7.5"},
                       "sm90": {"FAKE_SMI": H100, "ARCHGRID_FAKE_DEVICES": "9.0"}}
    return machine


def expect_run(machine, wanted, *in_summary, **options):
    """Runs the workflow, and expects these results of jobs and lines of the report."""
    results = machine.run_workflow(WORKFLOW, {**INPUTS, **options.pop("inputs", {})}, **options)
    outputs = "\n".join(f"--- {name}\n{job.get('output', '')}" for name, job in machine.jobs.items())
    expect({**results, **wanted} == results, f"{wanted}, not {results}\n{outputs}")
    summary = machine.jobs["report"]["summary"]
    for line in in_summary:
        expect(line in summary, f"\"{line}\" in the summary\n{summary}\n{outputs}")


def again(machine, *jobs):
    """Forgets the artifacts of these jobs, which are to run again."""
    for job in jobs:
        shutil.rmtree(machine.artifacts / job, ignore_errors=True)
    shutil.rmtree(machine.artifacts / "report", ignore_errors=True)


LATER = ("result-audit", "result-sm75", "result-sm90")
AFTER_BUILD = ("audit", "test", "report")


def check_green():
    machine = github("green", matrix())
    expect_run(machine, {"plan": "success", "build": "success", "audit": "success", "test": "success",
                         "report": "success"}, "### 5 jobs passed", "| build-2 | passed |", "| sm90 | passed |")
    test = machine.jobs["sm90"]["output"]
    expect("GPU 0: NVIDIA H100" in test and "cu135-sm90/runs" in test, f"a test on an attested GPU\n{test}")
    expect("::stop-commands::" in test, "output of tests that the runner does not obey")
    expect("PROMISES" in machine.jobs["audit"]["output"], "an audit of all cells together")
    expect("times-matrix.json-run" in machine.caches, "times for the next build")
    return machine


def check_times(machine):
    """The next plan takes the times of this run."""
    artifacts, planned = machine.folder / "first-artifacts", dict(machine.jobs["plan"])
    shutil.move(machine.artifacts, artifacts)
    machine.run_workflow(WORKFLOW, INPUTS, only=("plan",), name="next")
    jobs = json.loads((machine.artifacts / "plan" / "jobs.json").read_text())
    expect(jobs["timed"], "a plan by the times of the last build")
    shutil.rmtree(machine.artifacts)
    shutil.move(artifacts, machine.artifacts)
    machine.jobs["plan"] = planned


def check_wrong_gpu(machine):
    again(machine, *LATER)
    machine.machine["sm90"] = {"FAKE_SMI": T4, "ARCHGRID_FAKE_DEVICES": "7.5"}
    expect_run(machine, {"test": "failure", "report": "failure"}, "### failed or lost: 1 of 5 jobs",
               "| sm90 | **failed** | wrong GPU: no GPU has compute capability 9.0", "| sm75 | passed |", only=AFTER_BUILD)
    again(machine, *LATER)
    machine.machine["sm90"] = {"FAKE_SMI": H100, "ARCHGRID_FAKE_DEVICES": "5.0"}
    expect_run(machine, {"test": "failure", "report": "failure"}, "| sm90 | **failed** | tests of sm90 failed |",
               only=AFTER_BUILD)
    machine.machine["sm90"] = {"FAKE_SMI": H100, "ARCHGRID_FAKE_DEVICES": "9.0"}


def check_lost(machine):
    again(machine, *LATER)
    machine.lost = ("result-sm75",)
    expect_run(machine, {"test": "success", "report": "failure"}, "| sm75 | **lost** | no result arrived",
               only=AFTER_BUILD)
    machine.lost = ()
    again(machine, *LATER)
    machine.killed = {"sm90": "cmake -P archgrid/.github/matrix/test.cmake"}
    expect_run(machine, {"test": "failure", "report": "failure"}, "| sm90 | **lost** | no result arrived",
               "| sm75 | passed |", only=AFTER_BUILD)
    machine.killed = {}
    again(machine, *LATER)
    hidden = machine.folder / "hidden"
    shutil.move(machine.artifacts / "cells-build-1", hidden)
    expect_run(machine, {"audit": "failure", "test": "failure", "report": "failure"},
               "| audit | **failed** | not audited, as they were not built: ", only=AFTER_BUILD)
    shutil.move(hidden, machine.artifacts / "cells-build-1")


def check_forks(machine):
    fork = {"event_name": "pull_request", "event": {"pull_request": {"head": {"repo": {"full_name": "fork/project"}}}}}
    again(machine, *LATER)
    expect_run(machine, {"audit": "success", "test": "skipped", "report": "success"},
               "| sm90 | not run | a fork's pull request runs on GPUs only in an environment with reviewers |",
               only=AFTER_BUILD, event=fork)
    expect("sm90" not in " ".join(path.name for path in machine.artifacts.glob("*")), "no GPU job of a fork")
    again(machine, *LATER)
    expect_run(machine, {"test": "success", "report": "success"}, "### 5 jobs passed", only=AFTER_BUILD, event=fork,
               inputs={"environment": "gpu"})
    own = {"event_name": "pull_request", "event": {"pull_request": {"head": {"repo": {"full_name": "caller/project"}}}}}
    again(machine, *LATER)
    caches = len(machine.caches)
    expect_run(machine, {"test": "success", "report": "success"}, only=AFTER_BUILD, event=own)
    expect(len(machine.caches) == caches, "no caches of a pull request")


def check_failed_cell():
    broken = [{"cuda": "13.5", "archs": ["90"]},
              {"cuda": "13.5", "archs": ["90"], "variant": "broken", "definitions": {"PIPELINE_BREAK": "ON"}}]
    machine = github("failed", matrix(toolkits=broken, cells=["single"], promises=[{"devices": ["9.0"]}],
                                      runners={"9.0": RUNNERS["9.0"]}))
    expect_run(machine, {"build": "failure", "audit": "failure", "test": "failure", "report": "failure"},
               "**failed** | the cell cu135-broken-sm90 is failed |",
               "| sm90 | **failed** | not tested, as they were not built: cu135-broken-sm90 |")
    expect("cu135-sm90/runs" in machine.jobs["sm90"]["output"], "tests of the cell that was built")
    logs = list(machine.artifacts.glob("result-build-*/cells/cu135-broken-sm90.log"))
    expect(logs and "as it is meant to" in logs[0].read_text(), "the log of the failed cell among the results")


def check_perf():
    machine = github("perf", matrix(toolkits=[{"cuda": "13.5", "archs": ["90"]}], cells=["single"],
                                    promises=[{"devices": ["9.0"]}], runners={"9.0": RUNNERS["9.0"]}))
    machine.base = machine.folder / "base"
    shutil.copytree(machine.project, machine.base)
    source = machine.project / "source" / "fill.cu"
    source.write_text(source.read_text().replace("FILL_SECONDS 0.001", "FILL_SECONDS 0.002"))
    inputs = {"perf-programs": "fill", "perf-on": "sm90"}
    push = {"event_name": "push", "event": {"before": "base"}}
    machine.machine["perf-sm90"] = machine.machine["sm90"]
    expect_run(machine, {"base": "success", "test": "success", "perf": "failure", "report": "failure"},
               "| perf-sm90 | **failed** | fill: slower, or without data |", inputs=inputs, event=push)
    expect("SLOWER" in machine.jobs["perf-sm90"]["output"], "a slower benchmark")
    again(machine, "result-perf-sm90", "base-perf-sm90")
    shutil.copytree(machine.artifacts / "cells-build-1", machine.artifacts / "base-perf-sm90")
    expect_run(machine, {"perf": "success", "report": "success"}, "| perf-sm90 | passed |", inputs=inputs,
               only=("perf", "report"))
    again(machine, "result-perf-sm90", "base-perf-sm90")
    expect_run(machine, {"perf": "failure", "report": "failure"}, "| perf-sm90 | **failed** | base: no cells arrived",
               inputs=inputs, only=("perf", "report"))
    for wrong, message in (({"perf-programs": "fill"}, "name the preset of a GPU job"),
                           ({**inputs, "perf-on": "sm80"}, "no GPU job runs the preset sm80")):
        again(machine, "plan")
        machine.run_workflow(WORKFLOW, {**INPUTS, **wrong}, only=("plan",))
        expect(message in machine.jobs["plan"]["output"], f"\"{message}\"\n{machine.jobs['plan']['output']}")


def check_empty():
    machine = github("empty", {key: value for key, value in matrix().items() if key != "runners"})
    expect_run(machine, {"plan": "failure", "build": "skipped", "test": "skipped", "report": "failure"},
               "### no plan: the matrix file cannot be expanded, or names nothing to do")
    expect("no device has a runner, so there is no GPU job" in machine.jobs["plan"]["output"], "the reason in the plan")


def check_many():
    toolkits = [{"cuda": "13.5", "archs": ["75", "80", "86", "89", "90", "100"], "variant": f"v{index}"}
                for index in range(100)]
    machine = github("many", matrix(toolkits=toolkits, cells=["single"]))
    machine.run_workflow(WORKFLOW, {**INPUTS, "build-jobs": 256}, only=("plan",))
    outputs = machine.jobs["plan"]["outputs"]
    expect(outputs.get("build"), f"a plan of 600 cells\n{machine.jobs['plan']['output']}")
    jobs = json.loads((machine.artifacts / "plan" / "jobs.json").read_text())
    names = [row["job"] for row in json.loads(outputs["build"])["include"]]
    cells = [cell for job in jobs["build"] for cell in job["cells"]]
    expect(len(names) == 256 and names == [job["name"] for job in jobs["build"]], f"256 jobs, not {len(names)}")
    expect(len(cells) == len(set(cells)) == 600, f"600 cells in one job each, not {len(cells)}")
    for row in json.loads(outputs["test"])["include"]:
        wanted = next(job["builds"] for job in jobs["test"] if job["name"] == row["job"])
        fetched = [name for name in names if pattern_of(row["artifacts"]).fullmatch(f"cells-{name}")]
        expect(fetched == wanted, f"artifacts of {wanted}, not {fetched}")


def check_actions(machine):
    """Each action alone, in a repository without archgrid."""
    machine.environment["FAKE_SMI"] = H100
    nothing = FOLDER / "nothing"
    nothing.mkdir()
    good = run_action(machine, "attest-gpu", {"gpus": "9.0", "labels": "gpu h100", "mig": "off", "ecc": "on"}, {}, nothing)
    expect(good["result"] == "success" and "GPU on this runner: NVIDIA H100" in good["summary"], f"the GPU\n{good}")
    for wrong, message in (({"gpus": "8.0"}, "no GPU has compute capability 8.0"), ({"labels": "a100"}, "the label a100"),
                           ({"driver": "590"}, "promised is 590"), ({"mig": "on"}, "MIG mode is Disabled"),
                           ({"persistence": "off"}, "persistence mode is Enabled"), ({"ecc": "off"}, "ECC is Enabled"),
                           ({"ecc": "yes"}, "neither on nor off")):
        bad = run_action(machine, "attest-gpu", wrong, {}, nothing)
        expect(bad["result"] == "failure" and f"::error title=wrong GPU::" in bad["output"] and message in bad["output"],
               f"\"{message}\" for {wrong}\n{bad['output']}")
    none = run_action(machine, "attest-gpu", {"gpus": "9.0"}, {"FAKE_SMI": ""}, nothing)
    expect(none["result"] == "failure" and "NVIDIA-SMI has failed" in none["output"], f"no GPU\n{none['output']}")
    check_audit_action(machine, nothing)
    check_setup_action(machine, nothing)
    check_report_action(machine)


def check_audit_action(machine, nothing):
    program = next(machine.folder.glob("*-build-*/work/build/matrix/cells/cu135-sm90/fill"))
    folder = FOLDER / "release"
    (folder / "dist").mkdir(parents=True)
    shutil.copy(program, folder / "dist" / "a program")
    variables = {"ARCHGRID_COMMAND": str(COMMAND)}
    good = run_action(machine, "audit", {"files": "dist/*", "gpus": "H100", "accept": "native"}, variables, folder)
    expect(good["result"] == "success" and "promise holds" in good["output"], f"a kept promise\n{good['output']}")
    bad = run_action(machine, "audit", {"files": "dist/a program", "gpus": "T4", "accept": "native"}, variables, folder)
    expect(bad["result"] == "failure" and "::error" in bad["output"] and bad["summary"], f"annotations\n{bad['output']}")
    sarif = json.loads((bad["workspace"] / "archgrid.sarif").read_text())
    expect(sarif["runs"][0]["results"], "SARIF with results")
    for files, message in (("dist/*.whl", "dist/*.whl does not exist"), ("$(touch planted)", "does not exist"),
                           ("", "name what to audit")):
        refused = run_action(machine, "audit", {"files": files}, variables, folder)
        expect(refused["result"] == "failure" and message in refused["output"], f"{message}\n{refused['output']}")
        expect(not (refused["workspace"] / "planted").exists(), "an input that is no command")
    check_audit_installs(machine, folder)


def check_audit_installs(machine, folder):
    """The action installs the command by pip, here from a folder with a wheel that starts COMMAND."""
    wheels = FOLDER / "wheels"
    wheels.mkdir()
    members = {"archgrid-9.9.data/scripts/archgrid": f"#!/bin/sh\nexec '{COMMAND}' \"$@\"\n",
               "archgrid-9.9.dist-info/METADATA": "Metadata-Version: 2.1\nName: archgrid\nVersion: 9.9\n",
               "archgrid-9.9.dist-info/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"}
    members["archgrid-9.9.dist-info/RECORD"] = "".join(f"{name},,\n" for name in members)
    with zipfile.ZipFile(wheels / "archgrid-9.9-py3-none-any.whl", "w") as wheel:
        for name, text in members.items():
            member = zipfile.ZipInfo(name)
            member.external_attr = 0o100755 << 16
            wheel.writestr(member, text)
    variables = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(wheels)}
    good = run_action(machine, "audit", {"files": "dist/*", "gpus": "H100", "version": "9.9"}, variables, folder)
    expect(good["result"] == "success" and "+ " in good["output"], f"an installed command\n{good['output']}")
    bad = run_action(machine, "audit", {"files": "dist/*", "version": "9.8"}, variables, folder)
    expect(bad["result"] == "failure" and "pip cannot install archgrid 9.8" in bad["output"], bad["output"])


def check_setup_action(machine, nothing):
    good = run_action(machine, "setup-cuda", {"cuda": "13.5"}, {}, nothing)
    if good["result"] != "success":
        sys.exit(f"expected CUDA 13.5, which ./setup --dev provides\n{good['output']}")
    home = dict(line.split("=", 1) for line in good["files"]["env"].splitlines())["CUDA_HOME"]
    expect((pathlib.Path(home) / "bin" / "nvcc").exists(), "CUDA_HOME with nvcc")
    expect(good["files"]["path"] == f"{home}/bin\n", "nvcc on PATH")
    for inputs, message in (({}, "name a CUDA version"), ({"cuda": "13.5", "matrix": "m.json"}, "not both"),
                            ({"cuda": '13.5"'}, "versions as")):
        bad = run_action(machine, "setup-cuda", inputs, {}, nothing)
        expect(bad["result"] == "failure" and message in bad["output"], f"{message}\n{bad['output']}")


def check_report_action(machine):
    folder = FOLDER / "results"
    shutil.copytree(machine.artifacts / "plan", folder / "plan")
    for name in ("build-1", "build-2", "audit", "sm75"):
        shutil.copytree(machine.artifacts / f"result-{name}", folder / "results" / f"result-{name}")
    lost = run_action(machine, "report", {}, {}, folder)
    expect(lost["result"] == "failure" and "| sm90 | **lost** |" in lost["summary"], f"a lost job\n{lost}")
    skipped = run_action(machine, "report", {"tests": "skipped"}, {}, folder)
    expect(skipped["result"] == "success", f"no GPU jobs\n{skipped['output']}")


check_empty()
check_many()
first = check_green()
check_times(first)
check_wrong_gpu(first)
check_lost(first)
check_forks(first)
check_actions(first)
check_failed_cell()
check_perf()
