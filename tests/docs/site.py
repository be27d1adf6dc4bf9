#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0
"""site.py ROOT FOLDER: packaging/build-site builds docs/, offline and for a repository, and refuses planted faults.

Works in the fresh FOLDER; exit status 77, with the reason, where its packages cannot be had.
"""
import html.parser
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT, FOLDER = map(pathlib.Path, sys.argv[1:])
OFFLINE = {"PIP_RETRIES": "1", "PIP_DEFAULT_TIMEOUT": "15"}  # a machine without network finds out soon
FAULTS = {  # planted text, and the warning about it
    "[a](gone.md)": "contains a link 'gone.md', but the target is not found",
    "[b](audit.md#gone)": "contains a link 'audit.md#gone', but the doc 'audit.md' does not contain an anchor '#gone'",
    "[c](../cmake-modules/gone.cmake)": "contains a link '../cmake-modules/gone.cmake', but the target is not found",
}


class Page(html.parser.HTMLParser):
    """Collects what a page links, and what it loads."""

    def __init__(self, path):
        super().__init__()
        self.links, self.loads = [], []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        if tag == "a":
            self.links.append(values.get("href") or "")
        elif tag == "link":
            self.loads.append(values.get("href") or "")
        elif "src" in values:
            self.loads.append(values["src"] or "")


def build(root, folder, **environment):
    clean = {name: value for name, value in os.environ.items() if not name.startswith("ARCHGRID_")}
    run = subprocess.run([root / "packaging" / "build-site", folder], env={**clean, **OFFLINE, **environment},
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if run.returncode == 3:
        reason = run.stdout.strip().splitlines()[-1].removeprefix("build-site: ")
        print(f"archgrid: skipped: no-mkdocs: {reason}")
        sys.exit(77)
    return run.returncode, run.stdout


def expect(condition, what):
    if not condition:
        sys.exit(f"expected {what}")


def check_pages(site):
    """Each page loads only files of the site, and its links lead to files of the site or to other hosts."""
    paths = sorted(site.rglob("*.html"))
    expect(len(paths) > 60, f"pages of docs/ and of sources, found {len(paths)}")
    for path in paths:
        page = Page(path)
        if path.name == "404.html":
            continue
        for load in page.loads:
            expect((path.parent / load).exists(), f"a file of the site where {path} loads {load}")
        for link in page.links:
            if not re.match(r"https?://|#|$", link):
                target = path.parent / link.partition("#")[0]
                expect((target / "index.html" if target.is_dir() else target).exists(), f"a page where {path} links {link}")


def plant(tree):
    """Makes a checkout with FAULTS, a page that no navigation names, and a key without description."""
    tree.mkdir()
    for path in ROOT.iterdir():
        if path.name in ("docs", "matrices", "packaging"):
            shutil.copytree(path, tree / path.name)
        elif path.name != "build":
            (tree / path.name).symlink_to(path)
    with (tree / "docs" / "index.md").open("a") as page:
        page.write("\n" + "\n".join(FAULTS) + "\n\n```\n  [d](is-code.md)\n```\n\n- outer\n  - inner\n")
    (tree / "docs" / "unlisted.md").write_text("# Unlisted\n")
    schema = tree / "matrices" / "archgrid-matrix.schema.json"
    text = schema.read_text()
    expect(text.count('"description": "Why, for') == 1, "the description of reasons in the schema")
    schema.write_text(text.replace('"description": "Why, for', '"$comment": "Why, for'))


code, output = build(ROOT, FOLDER / "site")
expect(code == 0, f"a site, not\n{output}")
check_pages(FOLDER / "site")
for page, link in (("install.html", "source/github/workflows/release.yml.html"), ("github.html", "source/github/workflows/gpu.yml.html"),
                   ("matrix-file.html", "matrix-reference.html"), ("measurements/h200.html", "../source/docs/measurements/h200.html")):
    expect(link in Page(FOLDER / "site" / page).links, f"a link to {link} in {page}")
shown = (FOLDER / "site" / "source" / "cmake-modules" / "archgrid" / "audit.cmake.html").read_text()
expect("archgrid_audit" in shown and 'class="highlight"' in shown, "the source of archgrid_audit")
reference = (FOLDER / "site" / "matrix-reference.html").read_text()
expect("<code>spill_bytes</code>" in reference and "<code>toolkits[]</code>" in reference, "the keys of matrix files")

git = subprocess.run(["git", "-C", ROOT, "rev-parse", "HEAD"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
if git.returncode == 0:
    code, output = build(ROOT, FOLDER / "site", ARCHGRID_REPOSITORY="https://example.org/archgrid/")
    expect(code == 0, f"a site for a repository, not\n{output}")
    address = f"https://example.org/archgrid/blob/{git.stdout.strip()}/.github/workflows/release.yml"
    expect(address in Page(FOLDER / "site" / "install.html").links, f"a link to {address}")
    expect(not (FOLDER / "site" / "source").exists(), "no pages of sources beside a repository")

plant(FOLDER / "tree")
code, output = build(FOLDER / "tree", FOLDER / "planted")
expect(code == 1, f"a refusal of planted faults, not {code}\n{output}")
warnings = [*FAULTS.values(), "unlisted.md", "the key exclude[].reason has no description"]
for warning in warnings:
    expect(warning in output, f"the warning \"{warning}\" in\n{output}")
schema_warnings = output.count("has no description")
expect(f"Aborted with {len(warnings) - 1 + schema_warnings} warnings" in output, f"no other warning in\n{output}")

# mkdocs writes the pages before it counts the warnings.
page = (FOLDER / "planted" / "index.html").read_text()
expect(re.search(r"<li>outer\s*<ul>\s*<li>inner</li>", page), "a list in a list")
expect("<code>  [d](is-code.md)\n</code>" in page.replace("<span></span>", ""), "code as it is")

(FOLDER / "mine").mkdir()
(FOLDER / "mine" / "file").write_text("kept")
code, output = build(ROOT, FOLDER / "mine")
expect(code == 2 and (FOLDER / "mine" / "file").read_text() == "kept", f"a folder with other files to be refused, not\n{output}")
