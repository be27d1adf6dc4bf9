# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0
"""Runs workflows and actions as GitHub Actions would, on this machine: commands run for real; checkouts are links, and
artifacts and caches are folders. Knows what the files of .github need, and fails on anything else."""
import itertools
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess

import yaml

TOKEN = re.compile(r"\s*('(?:[^']|'')*'|&&|\|\||==|!=|[!(),]|[\w-]+(?:\.[\w-]+)*)")
PYTHON = {"&&": " and ", "||": " or ", "==": "==", "!=": "!=", "!": " not ", "(": "(", ")": ")", ",": ","}


class Failed(Exception):
    """A job that cannot go on."""


class Expressions:
    """Evaluates what `${{ }}` contains. `contexts` are nested dictionaries; `status` answers success() and others."""

    def __init__(self, contexts, status, workspace):
        self.contexts, self.status, self.workspace = contexts, status, workspace

    def lookup(self, path):
        value = self.contexts
        for name in path.split("."):
            value = (value or {}).get(name) if isinstance(value or {}, dict) else None
        return "" if value is None else value

    def functions(self):
        return {
            "always": lambda: True,
            "cancelled": lambda: False,
            "success": lambda: self.status,
            "join": lambda items, by: by.join(items),
            "format": lambda text, *values: re.sub(r"\{(\d)\}", lambda m: str(values[int(m.group(1))]), text),
            "fromJSON": json.loads,
            "hashFiles": lambda *patterns: "hash" if any(list(self.workspace.glob(p)) for p in patterns) else "",
        }

    def value(self, text):
        code, at = "", 0
        text = text.strip()
        functions = self.functions()
        while at < len(text):
            match = TOKEN.match(text, at)
            assert match, f"cannot read the expression {text!r} at {at}"
            at = match.end()
            word = match.group(1)
            if word in PYTHON:
                code += PYTHON[word]
            elif word[0] == "'":
                code += repr(word[1:-1].replace("''", "'"))
            elif word in ("true", "false"):
                code += word.capitalize()
            elif text[at:at + 1] == "(":
                code += f"functions[{word!r}]"
            else:
                code += f"lookup({word!r})"
        return eval(code, {"__builtins__": {}}, {"functions": functions, "lookup": self.lookup})  # noqa: S307

    def fill(self, value):
        """Returns the value with its expressions replaced; one that is an expression alone keeps its type."""
        if isinstance(value, dict):
            return {key: self.fill(item) for key, item in value.items()}
        if not isinstance(value, str):
            return value
        alone = re.fullmatch(r"\s*\$\{\{((?:(?!\}\}).)*)\}\}\s*", value, flags=re.S)
        if alone:
            return self.value(alone.group(1))
        return re.sub(r"\$\{\{(.*?)\}\}", lambda match: text_of(self.value(match.group(1))), value)

    def condition(self, text):
        """Returns whether a step or job runs; without a status function, an earlier failure stops it."""
        text = str(text if text is not None else "success()").strip()
        bare = re.sub(r"^\$\{\{(.*)\}\}$", r"\1", text, flags=re.S)
        runs_after_failures = re.search(r"\b(always|cancelled|failure)\(\)", bare)
        return bool(self.value(bare)) and (bool(runs_after_failures) or self.status)


def text_of(value):
    return {True: "true", False: "false"}.get(value, str(value)) if isinstance(value, bool) else str(value)


def pattern_of(glob):
    """Returns the regular expression of an artifact's pattern: `*` and `@(a|b)`."""
    parts = re.split(r"(\*|@\([^)]*\))", glob)
    return re.compile("".join(".*" if part == "*" else part[1:] if part.startswith("@(") else re.escape(part)
                              for part in parts))


class GitHub:
    """Artifacts and caches, with the machine on which all jobs run. Each run of a workflow has a folder."""

    def __init__(self, root, folder, project, environment):
        self.root, self.folder, self.project = root, folder, project
        self.base = project  # the checkout of the commit "base"
        self.environment = environment
        self.caches = {}
        self.jobs = {}  # name of a job, as people see it: its GITHUB_STEP_SUMMARY, output and result
        self.lost = ()  # artifacts that vanish
        self.killed = {}  # job: the command during which its machine dies
        self.machine = {}  # job: further variables of its runner
        self.workspaces = itertools.count()

    @property
    def artifacts(self):
        return self.folder / "artifacts"

    # --- what stands for actions -------------------------------------------------------------------------------------

    def checkout(self, job, options):
        assert options["persist-credentials"] is False, "a checkout keeps its credentials"
        if options["path"] == "archgrid":
            assert (options["repository"], options["ref"]) == ("called/archgrid", "c0ffee"), options
            (job.workspace / "archgrid").symlink_to(self.root)
        else:
            assert options["path"] == "project" and "repository" not in options, options
            source = self.base if options.get("ref") == "base" else self.project
            shutil.copytree(source, job.workspace / "project")

    def upload(self, job, options):
        source, name = job.workspace / options["path"], options["name"]
        if not source.exists():
            if options["if-no-files-found"] == "error":
                raise Failed(f"no files for the artifact {name}")
            return
        target = self.artifacts / name
        assert not target.exists(), f"two artifacts are named {name}"
        if name in self.lost:
            return
        if source.is_dir():
            shutil.copytree(source, target)
        else:
            target.mkdir(parents=True)
            shutil.copy(source, target)

    def download(self, job, options):
        folder = job.workspace / options["path"]
        if "name" in options:
            if not (self.artifacts / options["name"]).exists():
                raise Failed(f"no artifact {options['name']}")
            shutil.copytree(self.artifacts / options["name"], folder, dirs_exist_ok=True)
            return
        for artifact in sorted(self.artifacts.glob("*")):
            if pattern_of(options["pattern"]).fullmatch(artifact.name):
                shutil.copytree(artifact, folder / artifact.name, dirs_exist_ok=True)

    def restore(self, job, options):
        keys = [options["key"], *options.get("restore-keys", "").split("\n")]
        for key in filter(None, keys):
            for saved in sorted(self.caches):
                if saved.startswith(key):
                    shutil.copytree(self.caches[saved], job.workspace / options["path"])
                    return

    def save(self, job, options):
        source = job.workspace / options["path"]
        if "~" in options["path"] or not source.exists() or options["key"] in self.caches:
            return  # a cache never changes
        self.caches[options["key"]] = self.folder / "caches" / str(len(self.caches))
        shutil.copytree(source, self.caches[options["key"]])

    def action(self, job, name, options):
        known = {"actions/checkout": self.checkout, "actions/upload-artifact": self.upload,
                 "actions/download-artifact": self.download, "actions/cache/restore": self.restore,
                 "actions/cache/save": self.save}
        known[name.partition("@")[0]](job, options)

    # --- workflows ---------------------------------------------------------------------------------------------------

    def run_workflow(self, path, inputs, event=None, only=None, name="run"):
        """Runs the jobs of a called workflow in order; of `only`, if given. Returns {job: success, failure or
        skipped}. Jobs that do not run count as successful, with the outputs of the last run."""
        workflow = yaml.safe_load(path.read_text())
        declared = (workflow.get("on") or workflow[True])["workflow_call"]["inputs"]
        assert set(inputs) <= set(declared), f"unknown inputs: {set(inputs) - set(declared)}"
        values = {key: inputs.get(key, about.get("default")) for key, about in declared.items()}
        needs = {}
        for job_id, job in workflow["jobs"].items():
            if only is not None and job_id not in only:
                needs[job_id] = {"outputs": {}, **self.jobs.get(job_id, {}), "result": "success"}
                continue
            contexts = {"inputs": values, "needs": needs, "github": event or {"event_name": "push"},
                        "runner": {"arch": "X64"}, "env": {}}
            contexts["github"] = {"repository": "caller/project", "sha": name, **contexts["github"]}
            needs[job_id] = self.run_job(workflow, job_id, job, contexts)
            self.jobs.setdefault(job_id, {}).update(needs[job_id])
        return {job_id: job["result"] for job_id, job in needs.items()}

    def run_job(self, workflow, job_id, job, contexts):
        needed = job.get("needs", [])
        needed = [needed] if isinstance(needed, str) else needed
        contexts["needs"] = {need: contexts["needs"][need] for need in needed}
        status = all(need["result"] == "success" for need in contexts["needs"].values())
        expressions = Expressions(contexts, status, self.folder)
        if not expressions.condition(job.get("if")):
            return {"result": "skipped", "outputs": {}}
        rows = [{}]
        if "strategy" in job:
            rows = expressions.fill(job["strategy"]["matrix"])["include"]
            assert 0 < len(rows) <= 256, f"{job_id}: {len(rows)} jobs"
        runs = [Job(self, workflow, job_id, job, {**contexts, "matrix": row}).run() for row in rows]
        results = {run["result"] for run in runs}
        return {"result": "failure" if "failure" in results else "success", "outputs": runs[-1]["outputs"]}


class Job:
    """One job on one machine: steps in order, in an empty workspace."""

    def __init__(self, github, workflow, job_id, definition, contexts):
        self.github, self.definition, self.contexts = github, definition, contexts
        self.name = contexts["matrix"].get("job", job_id)
        self.workspace = github.folder / f"{next(github.workspaces)}-{self.name}"
        self.files = github.folder / "files" / self.workspace.name
        for folder in (self.workspace, self.files, self.files / "temp"):
            folder.mkdir(parents=True)
        contexts["job"] = {"workflow_repository": "called/archgrid", "workflow_sha": "c0ffee"}
        contexts["steps"] = {}
        self.status, self.output = True, ""
        expressions = self.expressions()
        self.environment = {**github.environment, **github.machine.get(self.name, {})}
        self.set_variables(expressions.fill(workflow.get("env", {})))
        self.set_variables(expressions.fill(definition.get("env", {})))

    def set_variables(self, variables):
        self.environment.update({name: text_of(value) for name, value in variables.items()})

    def expressions(self):
        return Expressions(self.contexts, self.status, self.workspace)

    def run(self):
        killed = False
        for step in self.definition["steps"]:
            if self.expressions().condition(step.get("if")):
                try:
                    self.run_step(step)
                except Failed as failure:
                    self.status = False
                    self.output += f"failed: {failure}\n"
                    killed = str(failure) == "killed"
            if killed:
                break
        outputs = self.expressions().fill(self.definition.get("outputs", {}))
        result = {"result": "success" if self.status else "failure", "outputs": outputs, "output": self.output,
                  "summary": self.text_of("summary")}
        self.github.jobs[self.name] = result
        return result

    def text_of(self, name):
        path = self.files / name
        return path.read_text() if path.exists() else ""

    def run_step(self, step):
        assert "timeout-minutes" in self.definition, f"{self.name}: no timeout"
        expressions = self.expressions()
        options = expressions.fill(step.get("with", {}))
        if "uses" in step:
            return self.github.action(self, step["uses"], options)
        assert "${{" not in step["run"], f"an expression in {step['run']}"
        if step["run"].startswith("apt-get "):
            return None  # the machine has these packages
        variables = {name: text_of(value) for name, value in expressions.fill(step.get("env", {})).items()}
        outputs = self.execute(step["run"], variables)
        if "id" in step:
            self.contexts["steps"][step["id"]] = {"outputs": outputs}
        return None

    def execute(self, command, variables):
        """Runs the command and returns the step's outputs."""
        (self.files / "output").write_text("")
        environment = {**self.environment, **variables, "GITHUB_OUTPUT": str(self.files / "output"),
                       "GITHUB_STEP_SUMMARY": str(self.files / "summary"), "GITHUB_ENV": str(self.files / "env"),
                       "GITHUB_PATH": str(self.files / "path"), "GITHUB_WORKSPACE": str(self.workspace),
                       "RUNNER_TEMP": str(self.files / "temp"), "GITHUB_ACTIONS": "true", "CI": "true"}
        if self.github.killed.get(self.name) == command:
            command = f"kill -{int(signal.SIGKILL)} $$"
        run = subprocess.run(["sh", "-e", "-c", command], cwd=self.workspace, env=environment, text=True,
                             stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.output += f"+ {command}\n{run.stdout}"
        if run.returncode == -signal.SIGKILL:
            raise Failed("killed")
        if run.returncode != 0:
            raise Failed(f"{command}: exit code {run.returncode}")
        return dict(line.split("=", 1) for line in self.text_of("output").splitlines())


def run_action(github, name, inputs, environment, workspace):
    """Runs the steps of a composite action alone. Returns its exit code, output and summary."""
    path = github.root / ".github" / "actions" / name
    action = yaml.safe_load((path / "action.yml").read_text())
    assert action["runs"]["using"] == "composite" and set(inputs) <= set(action["inputs"]), name
    values = {key: inputs.get(key, about.get("default", "")) for key, about in action["inputs"].items()}
    definition = {"steps": action["runs"]["steps"], "timeout-minutes": 1}
    job = Job(github, {}, f"action-{name}", definition, {"inputs": values, "matrix": {}})
    shutil.copytree(workspace, job.workspace, dirs_exist_ok=True, symlinks=True)
    job.environment.update({"GITHUB_ACTION_PATH": str(path), **environment})
    result = job.run()
    result["files"] = {name: job.text_of(name) for name in ("env", "path", "output")}
    result["workspace"] = job.workspace
    return result
