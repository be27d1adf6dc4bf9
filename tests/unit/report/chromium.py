# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0
"""Chromium without a window, for tests of pages, and what such tests have in common."""
import base64
import json
import os
import shutil
import subprocess
import sys
import time

BROWSERS = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
SECONDS = 60  # for each answer

# The start of a script: defines contrast(one, other) for two colours named in the page's style.
CONTRAST = """
  const canvas = document.createElement('canvas').getContext('2d');
  const light = (colour) => {
    canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
    const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map((part) => {
      const x = part / 255; return x <= 0.03928 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4; });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (one, other) => {
    const style = getComputedStyle(document.documentElement);
    const [a, b] = [one, other].map((name) => light(style.getPropertyValue(name).trim())).sort((x, y) => y - x);
    return (a + 0.05) / (b + 0.05);
  };
"""


class Browser:
    """Chromium without a window, spoken to over pipes (Chrome DevTools Protocol)."""

    def __init__(self, program, profile):
        to_browser, self.commands = os.pipe()
        self.answers, from_browser = os.pipe()
        arguments = [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                     "--no-first-run", "--disable-extensions", "--disable-background-networking",
                     "--disable-component-update", "--disable-dev-shm-usage",
                     "--host-resolver-rules=MAP * ~NOTFOUND", f"--user-data-dir={profile}",
                     "--window-size=1400,1000", "--remote-debugging-pipe", "about:blank"]
        # The browser uses descriptors 3 and 4 as its pipes.
        line = f'exec "$@" 3<&{to_browser} 4>&{from_browser}'
        self.process = subprocess.Popen(["bash", "-c", line, "bash", *arguments],
                                        pass_fds=[to_browser, from_browser],
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.number = 0
        self.rest = b""
        self.session = None
        self.events = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ["Page", "Runtime", "Log", "Network"]:
            self.call(f"{domain}.enable")

    def message(self):
        while b"\0" not in self.rest:
            part = os.read(self.answers, 1 << 20)
            if not part:
                sys.exit("the browser ended")
            self.rest += part
        text, self.rest = self.rest.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, **parameters):
        self.number += 1
        command = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            command["sessionId"] = self.session
        os.write(self.commands, json.dumps(command).encode() + b"\0")
        while True:
            message = self.message()
            if message.get("id") == self.number:
                if "error" in message:
                    sys.exit(f"{method}: {message['error']}")
                return message["result"]
            self.events.append(message)

    def wait_for(self, method):
        end = time.monotonic() + SECONDS
        while not any(event.get("method") == method for event in self.events):
            if time.monotonic() > end:
                sys.exit(f"the browser told nothing of {method}")
            self.events.append(self.message())

    def open(self, page, fragment=""):
        """Loads the page anew."""
        for address in ["about:blank", page.as_uri() + fragment]:
            self.events = []
            self.call("Page.navigate", url=address)
            self.wait_for("Page.loadEventFired")

    def value(self, expression):
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            sys.exit(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def settled(self, expression):
        """The value once what was done has been drawn."""
        self.value("new Promise((done) => requestAnimationFrame(() => setTimeout(done, 250)))")
        return self.value(expression)

    def point(self, selector, kind="mouseMoved"):
        box = self.value(f"(() => {{ const node = document.querySelector({json.dumps(selector)}); node.scrollIntoViewIfNeeded();"
                         " const box = node.getBoundingClientRect(); return [box.left + box.width / 2, box.top + box.height / 2]; })()")
        kinds = ["mouseMoved"] if kind == "mouseMoved" else ["mouseMoved", "mousePressed", "mouseReleased"]
        for one in kinds:
            self.call("Input.dispatchMouseEvent", type=one, x=box[0], y=box[1], button="left" if one != "mouseMoved" else "none",
                      clickCount=1)

    def press(self, key):
        for kind in ["keyDown", "keyUp"]:
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key)

    def picture(self, path):
        data = self.call("Page.captureScreenshot", format="png")["data"]
        path.write_bytes(base64.b64decode(data))

    def complaints(self):
        """What a page without a fault never causes."""
        found = []
        for event in self.events:
            method, parameters = event.get("method"), event.get("params", {})
            if method == "Runtime.exceptionThrown":
                found.append("exception: " + parameters["exceptionDetails"]["text"])
            elif method == "Runtime.consoleAPICalled":
                found.append("console: " + parameters["type"])
            elif method == "Log.entryAdded":
                found.append("log: " + parameters["entry"]["text"])
            elif method == "Page.javascriptDialogOpening":
                found.append("dialog: " + parameters["message"])
            elif method == "Network.requestWillBeSent":
                url = parameters["request"]["url"]
                if parameters.get("type") != "Document" and not url.startswith("data:"):
                    found.append("request: " + url)
        return found

    def end(self):
        os.write(self.commands, json.dumps({"id": 0, "method": "Browser.close"}).encode() + b"\0")
        self.process.wait(SECONDS)


def expect(truth, what):
    if not truth:
        sys.exit(f"not so: {what}")


def expect_equal(found, wanted, what):
    if found != wanted:
        sys.exit(f"{what}:\n  found  {found!r}\n  wanted {wanted!r}")


def open_browser(folder):
    """A browser whose profile lies in FOLDER, which is made anew. Ends the test as skipped where there is none."""
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        print("archgrid: skipped: no-browser: install chromium (./setup --dev)")
        sys.exit(77)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return Browser(program, folder / "profile")


def close_browser(browser, folder):
    browser.end()
    shutil.rmtree(folder / "profile", ignore_errors=True)
    print(f"the page is right; pictures are in {folder}")
