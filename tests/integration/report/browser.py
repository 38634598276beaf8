"""Headless Chromium over its debugging pipe, with only Python's standard library."""
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

LIMIT_S = 60


def find_chromium():
    for name in ("chromium", "chromium-browser", "google-chrome", "chrome"):
        path = shutil.which(name)
        if path:
            return path
    return None


class Browser:
    """One tab. `events` collects what the browser reports, as (method, parameters)."""

    def __init__(self, program):
        self.profile = tempfile.mkdtemp(prefix="cutune-chromium-")
        down_read, down_write = os.pipe()
        up_read, up_write = os.pipe()
        # The protocol wants descriptors 3 and 4.
        line = ["sh", "-c", 'exec "$0" "$@" 3<&%d 4>&%d' % (down_read, up_write), program, "--headless=new",
                "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                "--disable-background-networking", "--force-color-profile=srgb", "--hide-scrollbars",
                "--user-data-dir=" + self.profile, "about:blank"]
        self.process = subprocess.Popen(line, pass_fds=(down_read, up_write), stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        os.close(down_read)
        os.close(up_write)
        self.down, self.up, self.rest, self.number, self.session = down_write, up_read, b"", 0, None
        self.events = []
        targets = self.call("Target.getTargets")["targetInfos"]
        page = next(t for t in targets if t["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=page["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(domain + ".enable")

    def _message(self, until):
        while b"\0" not in self.rest:
            ready, _, _ = select.select([self.up], [], [], max(0, until - time.monotonic()))
            if not ready:
                raise TimeoutError("the browser does not answer")
            data = os.read(self.up, 1 << 20)
            if not data:
                raise EOFError("the browser ended")
            self.rest += data
        text, self.rest = self.rest.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.down, data):]
        until = time.monotonic() + LIMIT_S
        while True:
            answer = self._message(until)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError("%s: %s" % (method, answer["error"]))
                return answer["result"]
            self.events.append((answer.get("method"), answer.get("params", {})))

    def wait_for(self, method, wanted=lambda parameters: True):
        """Waits for an event, which it takes from the events."""
        until = time.monotonic() + LIMIT_S
        while not (found := [event for event in self.events if event[0] == method and wanted(event[1])]):
            answer = self._message(until)
            self.events.append((answer.get("method"), answer.get("params", {})))
        self.events.remove(found[0])

    def evaluate(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError("%s: %s" % (expression[:60], result["exceptionDetails"]))
        return result["result"].get("value")

    def size(self, width, height=900, scale=1):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale,
                  mobile=False)

    def media(self, scheme="light", medium=""):
        self.call("Emulation.setEmulatedMedia", media=medium,
                  features=[{"name": "prefers-color-scheme", "value": scheme}])

    def scripts(self, on):
        self.call("Emulation.setScriptExecutionDisabled", value=not on)

    def open(self, path, fragment=""):
        """Returns when the page and everything that it loads is there and its scripts have run."""
        self.call("Page.navigate", url="about:blank")  # another fragment alone would not load the page
        self.wait_for("Page.loadEventFired")
        self.events = []
        self.call("Page.navigate", url="file://" + os.path.abspath(path) + fragment)
        self.wait_for("Page.loadEventFired")

    def download(self, folder):
        """Saves what pages download to a folder."""
        self.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=folder, eventsEnabled=True)

    def picture(self, path, whole=True):
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def paper(self):
        """The page as a PDF on its own paper."""
        return base64.b64decode(self.call("Page.printToPDF", printBackground=True, preferCSSPageSize=True)["data"])

    def close(self):
        try:
            self.call("Browser.close")
        except (OSError, EOFError, TimeoutError, RuntimeError):
            pass
        try:
            self.process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.down)
        os.close(self.up)
        shutil.rmtree(self.profile, ignore_errors=True)
