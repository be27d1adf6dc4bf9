# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0
"""Looks at the page of `archgrid report merge --html` in a real browser: merge_page.py COMMAND FOLDER.

Pictures of what was seen stay in FOLDER. Exit status 77, with the reason, where there is no Chromium.
"""
import json
import pathlib
import subprocess
import sys

from chromium import CONTRAST, close_browser, expect, expect_equal, open_browser

HOSTILE = "</script><img src=x onerror='window.hacked=1'>\"'"
DEVICES = ["7.5", "8.0", "8.6", "8.9", "9.0", "10.0", "12.0"]
PROGRAMS = ["gemm", "sparse", "embedding"]

COLOURS = [("--text", "--card"), ("--soft", "--card"), ("--soft", "--page"), ("--good", "--card"), ("--bad", "--card"),
           ("--open", "--card"), ("--on-passed", "--passed"), ("--on-failed", "--failed"),
           ("--on-not-run", "--not-run"), ("--on-lost", "--lost")]

CONTRASTS = "(() => {" + CONTRAST + f"""
  return {json.dumps(COLOURS)}.map(([one, other]) => [one, other, contrast(one, other)]);
}})()"""

# Fields whose text does not fit into them, or that lie on another one.
CROWDED = """[...document.querySelectorAll('td .f')].flatMap((field, i, all) => {
  const box = field.getBoundingClientRect();
  const covers = (other) => { const b = other.getBoundingClientRect();
    return box.left + 1 < b.right && b.left + 1 < box.right && box.top + 1 < b.bottom && b.top + 1 < box.bottom; };
  return field.scrollWidth > field.clientWidth + 1 || all.slice(i + 1).some(covers) ? [field.outerHTML] : [];
})"""


def a_run(cell, program, device, cases, **more):
    return {"schema": "archgrid.gpu-tests/1", "test": f"{cell}/{program}", "program": program, "outcome": "passed",
            "code": "gpu", "gpu": {"name": "NVIDIA X", "capability": device, "ordinal": 0}, "uncounted": [],
            "kernels": {"judged": 0, "asked": 0, "seconds": 0, "findings": [], "disagreements": []},
            "tests": [{"name": name, "outcome": outcome, "seconds": 0, "launches": 1, "reason": reason}
                      for name, outcome, reason in cases], **more}


def write_job(folder, name, runs):
    path = folder / name / "Testing"
    path.mkdir(parents=True)
    (path / "gpu-tests.json").write_text(json.dumps({"schema": "archgrid.gpu-runs/1", "runs": runs}))


def write_page(command, folder, page):
    """A matrix of seven jobs: one is lost, two fail alike, one skips, one has a fake GPU and hostile names."""
    jobs = folder / "jobs"
    passed = [(f"Shapes.Small{number}", "passed", "x") for number in range(40)]
    for device in DEVICES[:5]:
        arch = "sm" + device.replace(".", "")
        failed = [("Shapes.Big", "failed", "expected 3\n  got 4")] if device in ("8.0", "9.0") else []
        write_job(jobs, f"junit-{arch}", [a_run(f"cu130-{cell}", program, device, passed + (failed if program == "gemm" else []))
                                          for cell in (arch, "fat") for program in PROGRAMS])
    skipped = [(name, "skipped", "no driver") for name, _, _ in passed]
    write_job(jobs, "junit-sm100", [a_run("cu130-fat", "gemm", "10.0", skipped, gpu=None, outcome="skipped", code="no-gpu")])
    write_job(jobs, f"a {HOSTILE.replace('/', '')}", [
        a_run("cu130-fat", HOSTILE.split("/")[0] + "gemm", "9.0", passed, fake="no kernel"),
        a_run("cu130-fat", "sparse", "9.0", [(HOSTILE, "failed", HOSTILE * 40)], fake="no kernel")])
    plan = folder / "plan.json"
    plan.write_text(json.dumps({"schema": "archgrid.plan/1", "jobs": [
        {"name": "sm" + device.replace(".", ""), "device": device} for device in DEVICES]}))
    run = subprocess.run([command, "report", "merge", jobs, "--expect", plan, "--html", page], stdout=subprocess.PIPE,
                         text=True, check=False)
    expect_equal(run.returncode, 1, "the exit code")
    return run.stdout.split("\n\n")[-1].replace("\n", " ").strip()


def check_content(browser, page, verdict):
    browser.open(page)
    expect_equal(browser.complaints(), [], "complaints about the page")
    expect_equal(browser.value("document.querySelector('h1').textContent"), verdict, "the verdict of the screen")
    rows = browser.value("[...document.querySelectorAll('tbody tr')].map((row) =>"
                         " [row.querySelector('th').textContent, row.querySelector('.f').textContent])")
    expect_equal(rows[:7], [["sm75", "\u2713 passed"], ["sm80", "\u2717 failed"], ["sm86", "\u2713 passed"], ["sm89", "\u2713 passed"],
                            ["sm90", "\u2717 failed"], ["sm100", "! not run"], ["sm120", "? lost"]], "the jobs")
    expect_equal(len(rows), 8, "jobs in the grid")
    heads = browser.value("[...document.querySelectorAll('thead th')].map((node) => node.textContent)")
    expect_equal(heads[2:5], PROGRAMS, "the programs")
    expect_equal(browser.value("document.querySelectorAll('details').length"), 2, "equal failures fold")
    expect_equal(browser.value("typeof window.hacked"), "undefined", "what hostile names ran")
    expect_equal(browser.value("document.querySelectorAll('img, script, iframe').length"), 0, "markup that was let in")
    expect(HOSTILE in browser.value("document.body.textContent"), "a hostile name stands as it is")


def check_details(browser, page):
    """A click shows the failures of a job and a program, and hides others."""
    browser.open(page)
    shown = "[...document.querySelectorAll('.detail')].filter((node) => node.offsetHeight > 0).map((node) => node.innerText)"
    expect_equal(browser.value(shown), [], "details before a click")
    browser.point("tbody tr:nth-child(2) td a.failed", "click")
    (text,) = browser.settled(shown)
    expect("sm80: gemm" in text and "2 failed, 80 passed" in text, f"the details of a click: {text}")
    expect("cu130-fat/gemm: Shapes.Big" in text and "expected 3\n  got 4" in text, f"the failures: {text}")
    browser.point("tbody tr:nth-child(6) td a.skipped", "click")
    (text,) = browser.settled(shown)
    expect("40 skipped: no driver" in text, f"the skips of a click: {text}")
    visible = "document.querySelector('details pre').checkVisibility()"
    expect_equal(browser.value(visible), False, "a failure is closed")
    browser.point("summary", "click")
    expect(browser.settled(visible), "a click opens a failure")


def check_layout(browser, page, folder):
    for scheme in ["light", "dark"]:
        browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        for width in [1400, 700]:
            browser.call("Emulation.setDeviceMetricsOverride", width=width, height=1000, deviceScaleFactor=1, mobile=False)
            browser.open(page, "#c1-0")
            expect(browser.value("document.documentElement.scrollWidth <= innerWidth"), f"the page fits {width} pixels")
            expect_equal(browser.value(CROWDED), [], f"fields without room at {width} pixels")
            browser.picture(folder / f"{scheme}-{width}.png")
        for one, other, ratio in browser.value(CONTRASTS):
            expect(ratio >= 4.5, f"{scheme}: {one} on {other} can be read: contrast {ratio:.2f}")
    browser.call("Emulation.clearDeviceMetricsOverride")


def check_the_checks(browser, page, folder):
    """A defect planted in the page is seen."""
    good = page.read_text()
    planted = folder / "planted.html"
    planted.write_text(good.replace("<main>", "<main><script>window.hacked = 1</script>", 1))
    browser.open(planted)
    expect(any(complaint.startswith("log: ") for complaint in browser.complaints()), "a planted script is seen")
    planted.write_text(good.replace("\u2717 2", "\u2717 2" + "0" * 400, 1).replace('http-equiv="Content-Security-Policy"', "", 1)
                       .replace(".f { display: block;", ".f { display: block; width: 52px;"))
    browser.open(planted)
    expect(browser.value(CROWDED), "a text beyond its field is seen")
    planted.unlink()


def main():
    command, folder = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    browser = open_browser(folder)
    page = folder / "report.html"
    verdict = write_page(command, folder, page)
    check_content(browser, page, verdict)
    check_details(browser, page)
    check_layout(browser, page, folder)
    check_the_checks(browser, page, folder)
    close_browser(browser, folder)


main()
