#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0
"""Checks how the functions of CMake modules get and return values (docs/architecture.md, "Values of the modules"), and
how long they are.

usage: modules.py FOLDER   prints each result under a name that the caller did not give, each macro that is not in MACROS,
                           each variable of a caller that a function reads, each internal function that two modules
                           define, and each function of more than LINES lines; exit code 1 if there is one
       modules.py --test   checks the checker itself
"""
import pathlib
import re
import sys

LINES = 50  # of a function, with its first and its last
MACROS = {  # and why a function would not do
    "_archgrid_append_arguments": "reads ARGV0, ARGV1, ... of the calling function",
    "_archgrid_begin_fetch": "its lock lasts until the calling function returns",
    "_archgrid_lock": "its lock lasts until the calling function returns",
}
# Variables that belong to no function: CMake's, cache entries and definitions of a script's command line, in capitals, and
# constants of a module.
SHARED = re.compile(r"[A-Z][A-Z0-9_]*$|ARGV\d+$|CUDAToolkit_[A-Z_]+$|_archgrid_\w+$")
TOKEN = re.compile(
    r'#\[(?P<comment>=*)\[.*?\](?P=comment)\]|#[^\n]*|(?P<space>\s+)|(?P<open>\()|(?P<close>\))|'
    r'\[(?P<equals>=*)\[.*?\](?P=equals)\]|(?P<quoted>"(?:\\.|[^"\\])*")|(?P<word>(?:\\.|"(?:\\.|[^"\\])*"|[^\s()"#\\])+)', re.S)
NAME = re.compile(r"[A-Za-z_][\w.-]*$")
REFERENCE = re.compile(r"(?<!\\)\$\{([A-Za-z_][\w.-]*)\}")
OPERATORS = set("""NOT AND OR IN_LIST MATCHES STREQUAL STRLESS STRGREATER EQUAL LESS GREATER LESS_EQUAL GREATER_EQUAL
VERSION_EQUAL VERSION_LESS VERSION_GREATER VERSION_LESS_EQUAL VERSION_GREATER_EQUAL IS_ABSOLUTE IS_DIRECTORY IS_SYMLINK
IS_NEWER_THAN EXISTS TRUE FALSE ON OFF""".split())
NAMES_NO_VARIABLE = {"DEFINED", "TARGET", "COMMAND", "POLICY", "TEST"}  # the next word of a condition
CHANGES = {("string", "APPEND"), ("string", "PREPEND")} | {("list", verb) for verb in (
    "APPEND PREPEND INSERT REMOVE_ITEM REMOVE_DUPLICATES REMOVE_AT TRANSFORM FILTER SORT REVERSE POP_FRONT POP_BACK "
    "LENGTH GET FIND JOIN SUBLIST").split()}  # the next word names a variable that is read


def commands_of(text):
    """Yields (line, name, arguments) of each command; an argument is (is it quoted or in brackets, its text)."""
    depth, name, arguments, begin = 0, "", [], 0
    for token in TOKEN.finditer(text):
        kind = token.lastgroup
        if kind == "open" and depth == 0:
            arguments, begin, depth = [], text.count("\n", 0, token.start()) + 1, 1
        elif kind in ("open", "close"):
            depth += 1 if kind == "open" else -1
            if depth == 0:
                yield begin, name.lower(), arguments
        elif kind == "word" and depth == 0:
            name = token.group()
        elif kind in ("word", "quoted"):
            arguments.append((kind == "quoted", token.group()))


def words_of(arguments):
    return [text for is_quoted, text in arguments if not is_quoted and NAME.match(text)]


def read_by_condition(arguments):
    """Returns the words of a condition that CMake replaces by variables of that name."""
    words, before = [], ""
    for is_quoted, text in arguments:
        if not is_quoted and NAME.match(text) and text not in OPERATORS | NAMES_NO_VARIABLE and before not in NAMES_NO_VARIABLE:
            words.append(text)
        before = text
    return words


class Function:
    """What one function has received, set or had set by what it calls, in the order of its lines."""

    def __init__(self, name, parameters, line):
        self.name, self.parameters, self.line = name, set(parameters), line
        self.known, self.prefixes, self.includes = set(parameters), set(), False

    def has(self, name):
        parts = name.split("_")
        records = {"_".join(parts[:end]) for end in range(1, len(parts))} - self.parameters
        return (self.includes or SHARED.match(name) or name in self.known or bool(records & self.known)
                or any(name.startswith(prefix) for prefix in self.prefixes))

    def run(self, name, arguments):
        """Returns the variables that the command reads and the function does not have, and notes what it sets."""
        read = [found for _, text in arguments for found in REFERENCE.findall(text)]
        texts = [text for _, text in arguments]
        sets = words_of(arguments)
        if name in ("if", "elseif", "while"):
            read, sets = read + read_by_condition(arguments), []
        elif name == "foreach" and "IN" in texts:
            place = texts.index("IN")
            lists = "ITEMS" not in texts[place:] and texts[place + 2:] or texts[place + 2:texts.index("ITEMS")]
            if texts[place + 1] in ("LISTS", "ZIP_LISTS"):
                read += [text for text in lists if NAME.match(text) and text not in ("ITEMS", "LISTS")]
            sets = [text for text in sets if text not in lists]  # ITEMS may be names that the loop sets
        elif texts and (name, texts[0]) in CHANGES and NAME.match(texts[1]):
            read.append(texts[1])
        lacking = sorted({found for found in read if not self.has(found)})
        self.known.update(sets)
        self.prefixes.update(match.group(1) for _, text in arguments if (match := re.match(r"([A-Za-z]\w*_)\$\{", text)))
        self.includes = self.includes or name == "include"
        return lacking


def problems_in(path, text):
    problems, functions = [], []
    for line, name, arguments in commands_of(text):
        texts = [text for _, text in arguments]
        place = f"{path}:{line}"
        if name == "macro" and texts[0] not in MACROS:
            problems.append(f"{place}: macro {texts[0]}: write a function that sets what its caller names")
        if name in ("function", "macro"):
            functions.append(Function(texts[0], texts[1:], line))
        elif name in ("endfunction", "endmacro"):
            function = functions.pop()
            if line - function.line >= LINES:
                problems.append(f"{path}:{function.line}: {function.name} has {line - function.line + 1} lines: split it at {LINES}")
        else:
            is_result = name in ("set", "unset") and texts[-1] == "PARENT_SCOPE"
            if is_result and not re.match(r'"?\$\{', texts[0]):
                problems.append(f"{place}: sets {texts[0]} of its caller: let the caller name it")
            if functions and functions[-1].name not in MACROS:
                problems += [f"{place}: {functions[-1].name} reads {found} of its caller: pass it"
                             for found in functions[-1].run(name, arguments)]
    return problems


def test():
    good = """
function(f record text out)
  set(lines "${${record}_LINES}" "${text}")
  g(found other)
  foreach(line item IN ZIP_LISTS lines found_LINES)
    string(APPEND all_${line} "${item}")
  endforeach()
  foreach(step IN ITEMS first last)
    h(${step})
  endforeach()
  if(TARGET name AND first STREQUAL "word" AND NOT all_x AND ARCHGRID_JOBS)
    set(${record}_TEXT "${other} ${last} $ENV{HOME} \\${quoted}" PARENT_SCOPE)
  endif()
  file(WRITE x [=[set(name "${unread}" PARENT_SCOPE)]=]) # "${comment}"
  set("${out}" "" PARENT_SCOPE)
endfunction()
macro(_archgrid_lock cache)
  message("${read_by_caller}")
endmacro()
set(text "${name}")
"""
    planted = {
        'set(text x PARENT_SCOPE)': "sets text of its caller: let the caller name it",
        'set(lines_${text} x PARENT_SCOPE)': "sets lines_${text} of its caller: let the caller name it",
        'unset(text PARENT_SCOPE)': "sets text of its caller: let the caller name it",
        'message("${tree}/x")': "f reads tree of its caller: pass it",
        'message("${record_LINES}")': "f reads record_LINES of its caller: pass it",
        'if(NOT tree)\nendif()': "f reads tree of its caller: pass it",
        'if(text STREQUAL single)\nendif()': "f reads single of its caller: pass it",
        'foreach(x IN LISTS cells)\nendforeach()': "f reads cells of its caller: pass it",
        'list(APPEND ids x)': "f reads ids of its caller: pass it",
        'list(FIND ids x place)': "f reads ids of its caller: pass it",
        'string(APPEND all "x")': "f reads all of its caller: pass it",
    }
    failures = [f"finds {problem} in the good module" for problem in problems_in("a", good)]
    for line, expected in planted.items():
        found = problems_in("a", good.replace('  file(WRITE', f'  {line}\n  file(WRITE'))
        if found != [f"a:14: {expected}"]:
            failures.append(f"finds {found} for {line}")
    found = problems_in("a", "macro(other)\nendmacro()\n")
    if found != ["a:1: macro other: write a function that sets what its caller names"]:
        failures.append(f"finds {found} for a macro")
    found = problems_in("a", f"function(f)\n{'g()' + chr(10) * (LINES - 2)}endfunction()\n")
    if found:
        failures.append(f"finds {found} for a function of {LINES} lines")
    found = problems_in("a", f"function(f)\n{'g()' + chr(10) * (LINES - 1)}endfunction()\n")
    if found != [f"a:1: f has {LINES + 1} lines: split it at {LINES}"]:
        failures.append(f"finds {found} for a function of {LINES + 1} lines")
    found = names_given_twice([("a:1", "f"), ("a:5", "f"), ("b:2", "g"), ("b:3", "f")])
    if found != ["b:3: function f replaces that of a:1: give it another name"]:
        failures.append(f"finds {found} for functions of one name")
    return failures


def names_given_twice(definitions):
    """Problems of functions that another module defines, too: the last one read replaces the others."""
    problems, places = [], {}
    for place, name in definitions:
        first = places.setdefault(name, place)
        if first.rpartition(":")[0] != place.rpartition(":")[0]:
            problems.append(f"{place}: function {name} replaces that of {first}: give it another name")
    return problems


def check(folder):
    problems, macros, definitions = [], set(), []
    for path in sorted(pathlib.Path(folder).rglob("*.cmake")):
        text = path.read_text()
        problems += problems_in(path, text)
        definitions += [(f"{path}:{line}", arguments[0][1]) for line, name, arguments in commands_of(text)
                        if name == "function" and arguments[0][1].startswith("_archgrid_")]
        macros.update(arguments[0][1] for _, name, arguments in commands_of(text) if name == "macro")
    problems += names_given_twice(definitions)
    return problems + [f"{name} is no macro any more: remove it from MACROS" for name in MACROS if name not in macros]


if __name__ == "__main__":
    lines = test() if sys.argv[1:] == ["--test"] else check(sys.argv[1])
    print("\n".join(lines))
    sys.exit(1 if lines else 0)
