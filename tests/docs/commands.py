#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0
"""Finds command lines of `archgrid` in documents, with a command or an option that the command's --help lacks.

usage: commands.py ARCHGRID ROOT    prints FILE:LINE: PROBLEM for each; exit code 1 if there is one
       commands.py ARCHGRID --test  checks the checker itself

Command lines stand in code blocks, after "$ " or in blocks of `sh`, and in backquotes. Pages about commands may name
only options of commands in backquotes, except those of OTHERS.
"""
import pathlib
import re
import shlex
import subprocess
import sys

FENCE = re.compile(r"\s*(?:```|~~~)(\w*)")
INLINE = re.compile(r"`([^`]+)`")
CALL = re.compile(r"(?:^|[(|&;])\s*(?:[A-Z_]+=\S*\s+)*(?:[\w./-]*/)?archgrid\s+(.*)")
OPTION = re.compile(r"--[a-z][a-z-]*")
ENDS = {"|", "||", "&&", ";", "&", ">", "<", "(", ")", ")\""}
COMMAND_PAGES = ("audit", "findings", "inspect", "lint", "suggest", "performance", "matrix-file")
OTHERS = {"--compress-mode": "nvcc", "--svg": "perf_gate"}  # options of other programs on these pages

INTERNAL = ["build-cells", "changed-matrix", "prove-cell"]  # commands that archgrid's --help leaves out


class Command:
    """The command's --help, and that of its subcommands."""

    def __init__(self, program, path=()):
        text = subprocess.run([program, *path, "--help"], check=True, stdout=subprocess.PIPE, text=True).stdout
        if f"Usage: {' '.join(['archgrid', *path])} " not in text:
            sys.exit(f"archgrid has no command {' '.join(path)} any more: remove it from INTERNAL")
        # Values follow names: "--ignore [CODE:]PATTERN".
        heads = re.findall(r"^  (-[^\s\[]+)", text, re.M)
        self.options = {name for head in heads for name in head.split(",")}
        section = text.partition("\nSubcommands:\n")[2].partition("\n\n")[0]
        names = re.findall(r"^  (\S+)", section, re.M) + (INTERNAL if not path else [])
        self.commands = {name: Command(program, (*path, name)) for name in names if name != "help"}

    def all_options(self):
        return self.options.union(*(command.all_options() for command in self.commands.values()))


def words_of(line):
    """Returns the words of a shell's command up to its end."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars="|&;<>()")
    lexer.commenters = "#"
    lexer.whitespace_split = True
    words = []
    try:
        for word in lexer:
            if word in ENDS:
                break
            words.append(word)
    except ValueError:  # an open quotation mark: a line of a longer command
        pass
    return words


def problem_of(top, line):
    """Returns why archgrid refuses the command line after its name, or an empty string."""
    command, name = top, "archgrid"
    for word in words_of(line):
        if word == "--":
            break
        if word.startswith("-"):
            if OPTION.match(word) and word.partition("=")[0] not in command.options:
                return f"{name} has no option {word.partition('=')[0]}"
        elif command.commands and word in command.commands:
            command, name = command.commands[word], f"{name} {word}"
        elif command is top and re.fullmatch(r"[a-z-]+", word) and word != "help":
            return f"archgrid has no command {word}"
    return ""


def lines_of(text):
    """Yields (line number, code, is it a whole line of code) of a document."""
    language, is_code, begun = "", False, ""
    for number, line in enumerate(text.splitlines(), 1):
        fence = FENCE.match(line)
        if fence:
            is_code, language, begun = not is_code, fence.group(1), ""
        elif is_code:
            line = begun + line.strip()
            if line.endswith("\\"):
                begun = line[:-1]
                continue
            begun = ""
            if language == "sh" or line.startswith("$ "):
                yield number, line.removeprefix("$ "), True
        else:
            for match in INLINE.finditer(line):
                yield number, match.group(1), False


def problems_in(top, text, is_command_page):
    """Returns (number of checked command lines, [(line number, problem)])."""
    checked, problems, known = 0, [], top.all_options() | set(OTHERS)
    for number, code, is_block in lines_of(text):
        call = CALL.search(code)
        if call:
            checked += 1
            problem = problem_of(top, call.group(1))
        elif is_command_page and not is_block and OPTION.match(code):
            option = OPTION.match(code).group()
            problem = "" if option in known else f"no command of archgrid has the option {option}"
        else:
            continue
        if problem:
            problems.append((number, problem))
    return checked, problems


def test(top):
    good = """`archgrid audit x.whl --gpu "GTX 1080" | less --plain` and `--gpu`, `archgrid perf run -- --gtest_x`.
```sh
build/harness/cli/archgrid list libx.so --names   # --planted
cmake --planted && archgrid audit a \\
  --json=x.json
```
```
$ archgrid --version
archgrid audit --planted
```
`source <(archgrid completion bash)`, "`cmake --planted`"
"""
    checked, problems = problems_in(top, good, True)
    assert (checked, problems) == (6, []), (checked, problems)
    planted = {
        "`archgrid audit --planted`": (1, "archgrid audit has no option --planted"),
        "`archgrid planted x`": (1, "archgrid has no command planted"),
        "`archgrid --names`": (1, "archgrid has no option --names"),
        "```sh\narchgrid list x --planted=3\n```": (2, "archgrid list has no option --planted"),
        "```sh\narchgrid list x \\\n --planted\n```": (3, "archgrid list has no option --planted"),
        "```\n$ bin/archgrid perf run --base x --names\n```": (2, "archgrid perf run has no option --names"),
        "```sh\n\"$(archgrid cmake-dir --planted)/x\"\n```": (2, "archgrid cmake-dir has no option --planted"),
        "`--planted`": (1, "no command of archgrid has the option --planted"),
    }
    for text, expected in planted.items():
        found = problems_in(top, text, True)[1]
        assert found == [expected], (text, found)
    assert problems_in(top, "`--planted`", False) == (0, [])


def check(top, root):
    checked, found = 0, 0
    for path in (root / "README.md", root / "packaging" / "README.md", *sorted((root / "docs").rglob("*.md"))):
        count, problems = problems_in(top, path.read_text(), path.parent.name == "docs" and path.stem in COMMAND_PAGES)
        checked += count
        for number, problem in problems:
            print(f"{path.relative_to(root)}:{number}: {problem}")
        found += len(problems)
    if checked < 40:
        sys.exit(f"expected the command lines of README.md and docs/, found {checked}")
    return found


if __name__ == "__main__":
    command = Command(sys.argv[1])
    if sys.argv[2:] == ["--test"]:
        test(command)
    else:
        sys.exit(1 if check(command, pathlib.Path(sys.argv[2])) else 0)
