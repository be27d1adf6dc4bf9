# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0
"""Hooks of mkdocs for archgrid's site: links to files of the repository, and the page about every key of matrix files.

A link to what is no page or picture of docs/ leads to the repository at the built commit if ARCHGRID_REPOSITORY names its address,
else to a page of the site that shows the file. A key without a description is a warning, as a broken
link is: both are errors under --strict.
"""
import json
import logging
import os
import pathlib
import posixpath
import re
import subprocess

import schema_page
from mkdocs.structure.files import File, InclusionLevel

log = logging.getLogger("mkdocs.hooks.archgrid")

SCHEMA = "matrices/archgrid-matrix.schema.json"
REFERENCE = "matrix-reference.md"
SOURCES = "source"  # folder of the pages that show files
LINK = re.compile(r"(?<=\]\()(?P<path>[^)#\s:]+)(?P<anchor>#[^)\s]*)?(?=\))")
SITE = re.compile(r"docs/.*\.(md|svg)$")  # what mkdocs itself finds
FENCE = re.compile(r"\s*(```|~~~)")
LANGUAGES = {".cmake": "cmake", ".json": "json", ".yml": "yaml", ".py": "python", ".cpp": "cpp", ".hpp": "cpp", ".h": "cpp",
             ".inc": "cpp", ".cu": "cuda", ".cuh": "cuda"}


def root_of(config):
    return pathlib.Path(config.docs_dir).parent


def outside_links(page, markdown):
    """Yields (line number, match, path in the repository) for each link to what is no page or picture of docs/."""
    is_code = False
    for number, line in enumerate(markdown.splitlines()):
        if FENCE.match(line):
            is_code = not is_code
        elif not is_code:
            for match in LINK.finditer(line):
                path = posixpath.normpath(posixpath.join("docs", posixpath.dirname(page), match["path"]))
                if not SITE.match(path):
                    yield number, match, path


def shown_page(path):
    """Returns the site's page for a file or folder of the repository."""
    return REFERENCE if path == SCHEMA else raw_page(path)


def raw_page(path):
    return f"{SOURCES}/{path.lstrip('.')}.md"  # hosts of sites leave out .github/


def in_repository(config, path):
    kind = "tree" if (root_of(config) / path).is_dir() else "blob"
    return f"{config.extra['address']}/{kind}/{config.extra['commit']}/{path}"


def relative(page, target):
    return posixpath.relpath(target, posixpath.dirname(page) or ".")


def file_page(root, path):
    """Returns a page that shows a text file, or links the files of a folder."""
    head = f"---\ntitle: {posixpath.basename(path)}\nsearch:\n  exclude: true\n---\n\n# `{path}`\n\n"
    if (root / path).is_dir():
        return head + "".join(f"- [{name}]({relative(shown_page(path), shown_page(f'{path}/{name}'))})\n"
                              for name in files_below(root, path))
    name = posixpath.basename(path)
    language = "cmake" if name == "CMakeLists.txt" else LANGUAGES.get(posixpath.splitext(name)[1], "text")
    text = (root / path).read_text(encoding="utf-8", errors="replace")
    fence = "~" * max(4, 1 + max(map(len, re.findall("~+", text)), default=0))
    return f"{head}{fence}{language}\n{text}\n{fence}\n"


def files_below(root, path):
    return sorted(name.relative_to(root / path).as_posix() for name in (root / path).rglob("*") if name.is_file())


def add_page(files, config, path, text):
    files.append(File.generated(config, path, content=text, inclusion=InclusionLevel.NOT_IN_NAV))


def on_config(config):
    config.extra["address"] = os.environ.get("ARCHGRID_REPOSITORY", "").rstrip("/")
    if config.extra["address"]:
        config.extra["commit"] = subprocess.run(
            ["git", "-C", root_of(config), "rev-parse", "HEAD"], check=True, capture_output=True, text=True).stdout.strip()
        config.nav.append({"Repository": config.extra["address"]})


def on_files(files, config):
    root = root_of(config)
    schema = json.loads((root / SCHEMA).read_text(encoding="utf-8"))
    for key in schema_page.undescribed(schema):
        log.warning("%s: the key %s has no description", SCHEMA, key)
    target = in_repository(config, SCHEMA) if config.extra["address"] else raw_page(SCHEMA)
    add_page(files, config, REFERENCE, schema_page.page(
        schema, "Every key of the matrix file",
        f"Written from the [schema]({target}) of this version. [The matrix file](matrix-file.md) explains how to use them."))
    if config.extra["address"]:
        return
    linked = {SCHEMA}
    for file in files.documentation_pages():
        if file.src_uri != REFERENCE:
            linked.update(path for _, _, path in outside_links(file.src_uri, file.content_string))
    for path in sorted(linked):
        if (root / path).is_dir():
            linked.update(f"{path}/{name}" for name in files_below(root, path))
    for path in sorted(linked):
        if (root / path).exists():
            add_page(files, config, raw_page(path), file_page(root, path))


def on_page_markdown(markdown, page, config, files):
    if page.file.generated_by:
        return markdown
    lines = markdown.splitlines()
    for number, match, path in reversed(list(outside_links(page.file.src_uri, markdown))):
        if not (root_of(config) / path).exists():
            continue  # mkdocs warns of it
        if config.extra["address"] and path != SCHEMA:
            target = in_repository(config, path)
        else:
            target = relative(page.file.src_uri, shown_page(path))
        line = lines[number]
        lines[number] = line[:match.start()] + target + (match["anchor"] or "") + line[match.end():]
    return deepen_lists(lines)


def deepen_lists(lines):
    """Returns the Markdown with nested lists indented by four spaces a level, as mkdocs needs them, not two as on GitHub."""
    is_code = False
    for number, line in enumerate(lines):
        if FENCE.match(line):
            is_code = not is_code
        elif not is_code:
            text = line.lstrip(" ")
            lines[number] = " " * ((len(line) - len(text)) // 2 * 4) + text
    return "\n".join(lines) + "\n"
