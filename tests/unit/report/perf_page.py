# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0
"""Looks at the page of `archgrid perf report --html` in a real browser: perf_page.py COMMAND FOLDER.

Pictures of what was seen stay in FOLDER. Exit status 77, with the reason, where there is no Chromium.
"""
import json
import pathlib
import subprocess
import sys

from chromium import CONTRAST, close_browser, expect, expect_equal, open_browser

HOSTILE = "</text><img src=x onerror='window.hacked=1'>"
CEILINGS = [{"name": "device memory", "unit": "B/s", "per_second": 4.0e12},
            {"name": "fp32", "unit": "FLOP/s", "per_second": 6.0e13}]

# Texts and marks that extend beyond the box of their picture.
OUTSIDE = """[...document.querySelectorAll('svg')].flatMap((svg) => {
  const box = svg.getBoundingClientRect();
  return [...svg.querySelectorAll('text, circle, rect, line, polyline')].filter((mark) => {
    const own = mark.getBoundingClientRect();
    return own.left < box.left - 2 || own.right > box.right + 2 || own.top < box.top - 2 || own.bottom > box.bottom + 2;
  }).map((mark) => svg.getAttribute('aria-label') + ': ' + mark.outerHTML);
})"""

# Pairs of overlapping texts in one picture.
OVERLAPS = """[...document.querySelectorAll('svg')].flatMap((svg) => {
  const texts = [...svg.querySelectorAll('text')].map((text) => [text.textContent, text.getBoundingClientRect()]);
  return texts.flatMap(([one, a], i) => texts.slice(i + 1).filter(([, b]) =>
    a.left + 2 < b.right && b.left + 2 < a.right && a.top + 4 < b.bottom && b.top + 4 < a.bottom)
    .map(([other]) => svg.getAttribute('aria-label') + ': ' + one + ' / ' + other));
})"""

CONTRASTS = "(() => {" + CONTRAST + """
  return ['text', 'soft', 'mark', 'roof'].map((name) => [name, contrast('--' + name, '--card')]);
})()"""


def a_run(build, day, seconds, throttled=False):
    return {"build": build, "date": f"2026-02-{day:02}T12:30:00Z", "throttled": throttled,
            "throttle_reasons": ["HwThermalSlowdown"] if throttled else [], "seconds": seconds}


def a_record(gpu):
    def runs(middle):
        return [a_run(f"build {day}", day, [middle * (1 + 0.02 * day + 0.01 * (run % 4) + 0.001 * n) for n in range(9)])
                for day in range(1, 6) for run in range(6)]
    return {
        "schema": "archgrid.perf/1",
        "key": {"gpu": gpu, "compute_capability": "9.0", "driver": "580.65.06", "toolkit": "13.0", "clocks": "default"},
        "ceilings": CEILINGS,
        "benchmarks": [
            {"name": "gemm/2048", "cache": "hot", "bytes": 5.0e7, "flops": 1.7e10, "runs": runs(4e-4)},
            {"name": "spmv", "cache": "cold", "bytes": 1.0e8, "flops": 1.7e7, "runs": runs(3e-5)},
            {"name": HOSTILE, "cache": "hot", "bytes": 1e6, "flops": 1e6, "runs": runs(1e-6)},
            {"name": "a name that goes on and on " * 20, "cache": "hot", "bytes": 0, "flops": 0,
             "runs": [a_run("only throttled", 1, [1e-3], True)]}]}


def write_page(command, records, page):
    files = []
    for number, record in enumerate(records):
        files.append(page.with_name(f"record-{number}.json"))
        files[-1].write_text(json.dumps(record))
    subprocess.run([command, "perf", "report", *files, "--html", page], check=True)


def check_content(browser, page):
    browser.open(page)
    expect_equal(browser.complaints(), [], "complaints about the page")
    expect_equal(browser.value("[...document.querySelectorAll('h2')].map((node) => node.textContent.split(' (')[0])"),
                 ["NVIDIA H100", "NVIDIA H200"], "the GPUs")
    expect_equal(browser.value("document.querySelectorAll('section.benchmark').length"), 8, "benchmarks")
    expect_equal(browser.value("document.querySelectorAll('svg[aria-label=roofline]').length"), 2, "rooflines")
    expect_equal(browser.value("document.querySelectorAll('svg[aria-label=roofline]')[0].querySelectorAll('.roof').length"), 2,
                 "a slope and a roof")
    expect_equal(browser.value("[...document.querySelectorAll('section.benchmark')].filter((one) =>"
                               " one.textContent.includes('NO_DATA')).length"), 2, "benchmarks without data")
    expect_equal(browser.value("typeof window.hacked"), "undefined", "what hostile names ran")
    expect_equal(browser.value("document.querySelectorAll('img, script, iframe').length"), 0, "markup that was let in")
    expect(HOSTILE in browser.value("document.body.textContent"), "a hostile name stands as it is")


# Checks that no point is above the roof that bounds it, and that figures match the record.
def check_roofline(browser, record):
    marks = browser.value("""(() => { const svg = document.querySelector('svg[aria-label=roofline]');
      const number = (node, name) => Number(node.getAttribute(name));
      const [slope, roof] = [...svg.querySelectorAll('.roof')].map((node) => ['x1', 'y1', 'x2', 'y2'].map((name) => number(node, name)));
      return {slope, roof, points: [...svg.querySelectorAll('.dot')].map((node) => [number(node, 'cx'), number(node, 'cy')])}; })()""")
    x1, y1, x2, y2 = marks["slope"]
    ridge = 6.0e13 / 4.0e12
    shown = [benchmark for benchmark in record["benchmarks"] if benchmark["flops"] and benchmark["bytes"]]
    expect_equal(len(marks["points"]), len(shown), "points in the roofline")
    for benchmark, (x, y) in zip(shown, marks["points"]):
        intensity = benchmark["flops"] / benchmark["bytes"]
        bound = y1 + (y2 - y1) * (x - x1) / (x2 - x1) if intensity < ridge else marks["roof"][1]
        expect(y >= bound - 1, f"{benchmark['name']} lies below its roof: {y} is not below {bound}")
    expect_equal(marks["roof"][1], marks["roof"][3], "the roof is level")


def check_layout(browser, page, folder):
    for scheme in ["light", "dark"]:
        browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        for width in [1400, 700]:
            browser.call("Emulation.setDeviceMetricsOverride", width=width, height=1000, deviceScaleFactor=1, mobile=False)
            browser.open(page)
            expect_equal(browser.value(OUTSIDE), [], f"marks beyond their picture at {width} pixels")
            expect_equal(browser.value(OVERLAPS), [], f"texts that cover each other at {width} pixels")
            expect(browser.value("document.documentElement.scrollWidth <= innerWidth"), f"the page fits {width} pixels")
            browser.picture(folder / f"{scheme}-{width}.png")
        for name, ratio in browser.value(CONTRASTS):
            expect(ratio >= (4.5 if name in ["text", "soft"] else 3), f"{scheme}: {name} can be seen: contrast {ratio:.2f}")


def check_the_checks(browser, page, folder):
    """A defect planted in the page is seen."""
    good = page.read_text()
    planted = folder / "planted.html"
    planted.write_text(good.replace("<main>", "<main><script>window.hacked = 1</script>", 1))
    browser.open(planted)
    expect(any(complaint.startswith("log: ") for complaint in browser.complaints()), "a planted script is seen")
    planted.write_text(good.replace("<circle class=\"dot\" cx=\"", "<circle class=\"dot\" cx=\"9", 1))
    browser.open(planted)
    expect(browser.value(OUTSIDE), "a mark beyond its picture is seen")
    planted.write_text(good.replace("</svg>", "<text x=\"500\" y=\"10\">one</text><text x=\"501\" y=\"10\">other</text></svg>", 1))
    browser.open(planted)
    expect(browser.value(OVERLAPS), "texts that cover each other are seen")
    planted.unlink()


def main():
    command, folder = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    browser = open_browser(folder)
    page = folder / "perf.html"
    records = [a_record("NVIDIA H100"), a_record("NVIDIA H200")]
    write_page(command, records, page)
    check_content(browser, page)
    check_roofline(browser, records[0])
    check_layout(browser, page, folder)
    check_the_checks(browser, page, folder)
    close_browser(browser, folder)


main()
