# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0
"""Presses the tabulator in a real shell: completion.py SHELL COMMAND.

Exit status 77, with the reason, where there is no such shell.
"""
import os
import pathlib
import pty
import select
import shutil
import subprocess
import sys
import tempfile
import time

SECONDS = 30


class Terminal:
    """An interactive shell."""

    def __init__(self, arguments, environment):
        self.process, self.end = pty.fork()
        if self.process == 0:
            os.execvpe(arguments[0], arguments, {**os.environ, **environment, "TERM": "dumb", "COLUMNS": "200"})

    def wait_for(self, wanted):
        seen, end = "", time.monotonic() + SECONDS
        while wanted not in seen:
            if not select.select([self.end], [], [], max(0, end - time.monotonic()))[0]:
                sys.exit(f"{wanted!r} never came, only {seen!r}")
            seen += os.read(self.end, 65536).decode(errors="replace").replace("\a", "")
        return seen

    def type(self, text):
        os.write(self.end, text.encode())

    def completes(self, typed, wanted):
        """Typed, and the tabulator pressed, the line says what is wanted."""
        self.type("\x15" + typed + "\t\t")
        self.wait_for(wanted)


    def never_completes(self, typed, unwanted):
        self.type("\x15" + typed + "\t\t")
        seen, end = "", time.monotonic() + 1
        while select.select([self.end], [], [], max(0, end - time.monotonic()))[0]:
            seen += os.read(self.end, 65536).decode(errors="replace")
        if unwanted in seen:
            sys.exit(f"{typed!r} is completed without a completion: this test sees nothing")


def check_lines(terminal):
    # The shell assembles the marks, so that the echo of typed text does not match them.
    terminal.type("PS1=re''ady:; printf '%s%s\\n' be gin\n")
    terminal.wait_for("begin")
    terminal.completes("archgrid au", "archgrid audit ")
    terminal.completes("archgrid audit --mat", "--matrix")
    terminal.completes("archgrid audit --accept nat", "--accept native")
    terminal.completes("archgrid explain not-in", "explain not-in-image")
    terminal.completes("archgrid explain left-b", "explain left-behind")
    terminal.completes("archgrid audit --device 8.0,12.", "12.1")
    terminal.completes("archgrid audit --acc", "--accept")
    terminal.completes("archgrid audit only-", "only-one-file.so")
    terminal.completes("archgrid audit --html only-", "only-one-file.so")
    terminal.completes("archgrid help lis", "archgrid help list")
    terminal.completes("archgrid list --sort reg", "--sort registers")
    terminal.completes("archgrid list --kind sass,pt", "sass,ptx")
    terminal.completes("archgrid perf comp", "archgrid perf compare ")
    terminal.completes("archgrid perf run --save-b", "--save-base")
    terminal.completes("archgrid perf compare only-", "only-one-file.so")


def check_fish(script):
    def completions(typed):
        run = subprocess.run(["fish", "--no-config", "-c", f"source {script}; complete -C '{typed}'"], check=True,
                             stdout=subprocess.PIPE, text=True)
        return [line.split("\t")[0] for line in run.stdout.splitlines()]

    for typed, wanted in [("archgrid au", "audit"), ("archgrid audit --mat", "--matrix"),
                          ("archgrid audit --accept nat", "native"), ("archgrid audit --device 8.0,12.", "8.0,12.1"),
                          ("archgrid audit only-", "only-one-file.so"), ("archgrid audit --html only-", "only-one-file.so"),
                          ("archgrid help lis", "list"), ("archgrid list --sort reg", "registers"),
                          ("archgrid perf comp", "compare"), ("archgrid perf run --save-b", "--save-base"),
                          ("archgrid perf compare only-", "only-one-file.so")]:
        if wanted not in completions(typed):
            sys.exit(f"{typed}: {wanted!r} is not among {completions(typed)}")
    if "audit" in completions("archgrid audit "):
        sys.exit("a command is offered after another")


def main():
    shell, command = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    if shutil.which(shell) is None:
        print(f"archgrid: skipped: no-shell: install {shell}")
        sys.exit(77)
    refused = subprocess.run([command, "completion", "tcsh"], stderr=subprocess.PIPE, text=True, check=False)
    assert refused.returncode == 2 and "bash, zsh or fish" in refused.stderr, refused
    with tempfile.TemporaryDirectory() as name:
        script = pathlib.Path(name) / "_archgrid"
        script.write_bytes(subprocess.run([command, "completion", shell], check=True, stdout=subprocess.PIPE).stdout)
        (pathlib.Path(name) / "only-one-file.so").touch()
        os.chdir(name)
        environment = {"PATH": f"{command.parent}:{os.environ['PATH']}", "HOME": name, "HISTFILE": ""}
        if shell == "bash":
            terminal = Terminal(["bash", "--noprofile", "--norc", "-i"], environment)
            terminal.type(f"source {script}\n")
            check_lines(terminal)
            terminal.type("\x15complete -r archgrid\n")
            terminal.never_completes("archgrid au", "archgrid audit")
        elif shell == "zsh":
            terminal = Terminal(["zsh", "-f", "-i"], environment)
            terminal.type("unsetopt zle_bracketed_paste; zstyle ':completion:*' list-prompt ''; autoload -U compinit;"
                          f" compinit -u -D; source {script}\n")
            check_lines(terminal)
        else:
            check_fish(script)
    print(f"{shell} completes commands, options, values and files")


main()
