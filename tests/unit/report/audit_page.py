# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0
"""Looks at the page of `archgrid audit --html` in a real browser: audit_page.py COMMAND PAGES SAMPLES FOLDER.

PAGES is the program that writes a hostile and a big page. Pictures of what was seen stay in FOLDER.
Exit status 77, with the reason, where there is no Chromium.
"""
import json
import pathlib
import subprocess
import sys
import time

from chromium import CONTRAST, close_browser, expect, expect_equal, open_browser

NAMES = "[...document.querySelectorAll('#rows .name')].map((node) => node.textContent)"
LABELS = ("[...document.querySelectorAll('#rows .row')].filter((row) => row.querySelector('.name')).map((row) =>"
          " [row.querySelector('.name').textContent,"
          " [...row.querySelectorAll('.cell')].map((cell) => cell.getAttribute('aria-label'))])")


def check_same_as_json(browser, page, audit):
    """Every field of the page says what the JSON says."""
    browser.open(page)
    kernels = audit["files"][0]["kernels"]
    shown = browser.value(LABELS)
    expect_equal(len(shown), len(kernels), "how many kernels the page shows")
    expect(len(kernels) >= 5, "there are kernels to look at")
    found = sorted(label for _, labels in shown for label in labels)
    wanted = []
    for kernel in kernels:
        for device, verdict in kernel["verdicts"].items():
            reason = kernel.get("reasons", {}).get(device)
            wanted.append((f"{device}: {verdict}" + (", promise broken: " + reason if reason else ": "), reason))
    wanted.sort()
    for label, (start, reason) in zip(found, wanted):
        expect(label == start if reason else label.startswith(start) and len(label) > len(start),
               f"the page says {label!r}, the JSON {start!r}")
    expect_equal(browser.value("document.getElementById('verdict').textContent"), audit["verdict"], "the verdict")
    expect_equal(browser.complaints(), [], "complaints about a good page")


def check_links(browser, page):
    """A link to what is shown opens it."""
    browser.open(page, "#search=tile&sort=-name")
    expect_equal(browser.value(NAMES), ["tile<4>", "tile<3>"], "kernels that #search=tile shows")
    browser.open(page, "#search=*tile%3C3%3E*")
    expect_equal(browser.value(NAMES), ["tile<3>"], "kernels that a pattern shows")
    browser.open(page, "#verdict=empty&sort=name")
    expect_equal(browser.value(NAMES), ["guarded", "trapping"], "kernels that #verdict=empty shows")
    browser.open(page, "#sort=7.5")
    expect_equal(browser.value(NAMES)[:2], ["guarded", "trapping"], "kernels worst on 7.5")
    browser.open(page, "#search=ghost")
    expect_equal(browser.value(NAMES), [], "kernels that nothing matches")
    expect("No kernel is left" in browser.value("document.getElementById('rows').textContent"), "an empty map says so")
    expect_equal(browser.complaints(), [], "complaints about links")


def tip_of(browser):
    return browser.settled("document.getElementById('tip').hidden ? '' : document.getElementById('tip').innerText")


def check_hands(browser, page, folder):
    """Mouse and keys."""
    browser.open(page, "#theme=light")
    browser.value("document.getElementById('map').scrollIntoView()")
    browser.point("#cell-0-0")
    expect("7.5: empty, promise broken" in tip_of(browser), "the mouse shows the verdict: " + tip_of(browser))
    expect("body is empty, while another of its bodies stores" in tip_of(browser), "the mouse shows the reason")
    browser.picture(folder / "hover.png")
    browser.point("#rows .name")
    expect("guarded(float*)" in tip_of(browser), "the mouse shows the whole name")
    browser.point("#map h2")
    expect_equal(tip_of(browser), "", "the tip goes")
    browser.value("document.getElementById('grid').focus()")
    browser.press("ArrowRight")
    expect("8.0: native" in tip_of(browser), "arrow keys move to the right: " + tip_of(browser))
    browser.press("ArrowDown")
    expect_equal(browser.value("document.getElementById('grid').getAttribute('aria-activedescendant')"), "cell-1-1",
                 "where the keys went")
    browser.press("Enter")
    expect("trapping(float*)" in browser.settled("document.getElementById('detail').innerText"), "Enter shows all of a kernel")
    expect("kernel=_Z8trappingPf" in browser.value("location.hash"), "the address names the kernel")
    browser.picture(folder / "detail.png")
    browser.point("#head [data-sort='9.0']", "click")
    expect("sort=9.0" in browser.settled("location.hash"), "a click on a device sorts by it")
    browser.value("document.getElementById('search').focus()")
    browser.call("Input.insertText", text="til")
    expect_equal(browser.settled(NAMES), ["tile<3>", "tile<4>"], "kernels that are left after typing")
    expect_equal(browser.value("document.getElementById('count').textContent"), "2 of 5 kernels", "what the count says")
    browser.point("#chips [data-chip='empty']", "click")
    expect_equal(browser.settled(NAMES), [], "kernels that fit both")
    browser.point("#reset", "click")
    expect_equal(len(browser.settled(NAMES)), 5, "kernels after reset")
    expect_equal(browser.value("location.hash"), "#theme=light", "the address after reset")
    browser.point("#findings a", "click")
    expect("verdict=" in browser.settled("location.hash"), "a finding leads to its kernels")
    expect_equal(browser.complaints(), [], "complaints while it is used")


def check_package(browser, page):
    """Errors come first, and kernels of one short name are told apart."""
    browser.open(page)
    expect_equal(browser.value(NAMES)[:2], ["a::tile", "b::tile"], "kernels with errors, which come first")
    sections = browser.value("[...document.querySelectorAll('main > section')].map((section) => section.id)")
    expect_equal(sections[:2], ["findings", "coverage"], "the first sections")
    labels = browser.value(LABELS)
    expect(any(label.startswith("9.0: missing, error: ") for label in labels[0][1]), f"what a cell says: {labels[0]}")
    text = browser.value("document.body.innerText")
    expect("promise" not in text.replace("nothing was promised", ""), f"nobody promised anything: {text}")
    expect_equal(browser.complaints(), [], "complaints about a package")


CONTRASTS = "(() => {" + CONTRAST + """
  const verdicts = JSON.parse(document.getElementById('data').textContent).verdicts;
  return [...verdicts.map((name) => [name, contrast(`--${name}`, `--on-${name}`)]),
    ...['text', 'soft', 'good', 'bad', 'open'].map((name) => [name, contrast(`--${name}`, '--card')])];
})()"""


def check_themes(browser, page, folder):
    backgrounds = []
    for theme in ["light", "dark"]:
        browser.open(page, f"#theme={theme}")
        backgrounds.append(browser.value("getComputedStyle(document.body).backgroundColor"))
        for name, ratio in browser.value(CONTRASTS):
            expect(ratio >= 4.5, f"{theme}: {name} can be read: contrast {ratio:.2f}, 4.5 is wanted")
        browser.picture(folder / f"{theme}.png")
    expect(backgrounds[0] != backgrounds[1], "the themes differ")


def check_hostile(browser, page, folder):
    browser.open(page, "#theme=dark")
    expect_equal(browser.value("typeof window.hacked"), "undefined", "what hostile names ran")
    expect_equal(browser.value("document.querySelectorAll('img, iframe, svg, link:not([rel=icon])').length"), 0, "markup that was let in")
    expect_equal(browser.value("document.querySelectorAll('script').length"), 2, "scripts in the page")
    names = browser.value("(() => { const found = []; for (const row of document.querySelectorAll('#rows .row')) found.push(row.textContent); return found; })()")
    expect(any("<img src=x onerror=" in name for name in names), f"hostile names stand as they are: {names}")
    browser.value("document.getElementById('map').scrollIntoView()")
    browser.picture(folder / "hostile.png")
    expect_equal(browser.complaints(), [], "complaints about hostile names")


def check_big(browser, page, folder):
    start = time.monotonic()
    browser.open(page, "#theme=light")
    count = browser.value("document.getElementById('count').textContent")
    seconds = time.monotonic() - start
    expect_equal(count, "20,000 kernels", "kernels of the big page")
    expect(seconds < 30, f"the big page opens in {seconds:.1f} s")
    expect(browser.value("document.querySelectorAll('#rows .row').length") < 200, "only what is in sight is drawn")
    first = browser.value(NAMES)
    browser.value("document.getElementById('grid').scrollTop = 1e9")
    last = browser.settled(NAMES)
    expect(last and not set(first) & set(last), "the end of the map is drawn when it is scrolled to")
    expect(browser.value("(() => { const canvas = document.querySelector('#overview canvas'); const data ="
                         " canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data; const seen = new Set();"
                         " for (let at = 0; at < data.length; at += 4) seen.add(data.slice(at, at + 3).join()); return seen.size; })()") >= 3,
           "the overview shows several verdicts")
    start = time.monotonic()
    browser.value("location.hash = '#search=kernel19999&theme=light'")
    expect_equal(browser.settled("document.getElementById('count').textContent"), "1 of 20,000 kernels", "what a search leaves")
    expect(time.monotonic() - start < 10, "a search among 20,000 kernels is quick")
    browser.open(page, "#theme=light&sort=verdict")
    browser.picture(folder / "big.png")
    expect_equal(browser.complaints(), [], "complaints about the big page")
    print(f"the page of 20,000 kernels x 13 devices opens in {seconds:.1f} s, {page.stat().st_size / 1e6:.1f} MB")


def check_without_script(browser, page, audit):
    browser.call("Emulation.setScriptExecutionDisabled", value=True)
    browser.open(page)
    text = browser.value("document.body.innerText")
    browser.call("Emulation.setScriptExecutionDisabled", value=False)
    expect(audit["verdict"] in text, "the verdict needs no JavaScript")
    expect("needs JavaScript" in text, "the page says what needs JavaScript")
    fix = audit["findings"][0]["fix"].partition(" for ")[0]  # the page has one fix for all devices of a cause
    expect(fix in text, "findings need no JavaScript")


def check_the_checks(browser, page, folder):
    """A defect planted in the page is seen."""
    good = page.read_text()
    planted = folder / "planted.html"
    for old, new, wanted in [
            ("<main>", "<main><img src='http://example.invalid/x.png'>", "log: "),
            ("<main>", "<main><script>window.hacked = 1</script>", "log: "),
            ("'use strict';", "'use strict'; ", "log: "),
            ('id="data">{', 'id="data">{,', "exception: ")]:
        planted.write_text(good.replace(old, new, 1))
        browser.open(planted)
        expect(any(complaint.startswith(wanted) for complaint in browser.complaints()),
               f"a planted {new!r} is seen: {browser.complaints()}")
        expect_equal(browser.value("typeof window.hacked"), "undefined", "a script that was slipped in")
    planted.unlink()


def main():
    command, pages, samples = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    folder = pathlib.Path(sys.argv[4]).resolve()
    browser = open_browser(folder)
    subprocess.run([pages, folder], check=True)
    page, document = folder / "audit.html", folder / "audit.json"
    run = subprocess.run([command, "audit", samples / "plain.o", "--device", "7.5,8.0,8.6,9.0,12.0",
                          "--accept", "native,compatible", "--html", page,
                          f"--json={document}"], stdout=subprocess.DEVNULL, check=False)
    expect_equal(run.returncode, 1, "the exit code of an audit with findings")
    audit = json.loads(document.read_text())
    check_same_as_json(browser, page, audit)
    check_links(browser, page)
    check_hands(browser, page, folder)
    check_package(browser, folder / "package.html")
    check_themes(browser, page, folder)
    check_hostile(browser, folder / "hostile.html", folder)
    check_big(browser, folder / "big.html", folder)
    check_without_script(browser, page, audit)
    check_the_checks(browser, page, folder)
    close_browser(browser, folder)


main()
