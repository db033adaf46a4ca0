"""A headless Chromium, driven through its DevTools protocol over pipes; needs no library."""

import json
import os
import subprocess
import tempfile
import time
from pathlib import Path

PATHS = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]
# Ratios of contrast between texts and their background (WCAG 2.2, 1.4.3), of all texts of the page that are seen.
CONTRAST = """(function () {
  function luminance(rgb) {
    var c = rgb.map(function (v) { v /= 255; return v <= 0.04045 ? v / 12.92 : Math.pow((v + 0.055) / 1.055, 2.4); });
    return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];
  }
  function parse(text) { return (text.match(/[\\d.]+/g) || []).map(Number); }
  function background(element) {
    for (; element; element = element.parentElement) {
      var colour = parse(getComputedStyle(element).backgroundColor);
      if (colour.length === 3 || colour[3] === 1) return colour.slice(0, 3);
    }
    return [255, 255, 255];
  }
  var low = [];
  document.querySelectorAll('body *').forEach(function (element) {
    var own = Array.from(element.childNodes).some(function (node) { return node.nodeType === 3 && node.textContent.trim(); });
    if (!own || !element.getClientRects().length || element.closest('svg, script, option') || element.disabled) return;
    var style = getComputedStyle(element), a = luminance(parse(style.color).slice(0, 3)), b = luminance(background(element));
    var ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) low.push(element.textContent.trim().slice(0, 30) + ' ' + ratio.toFixed(2));
  });
  return low;
})()"""


class Browser:
    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        theirs_in, self.to = os.pipe()
        self.source, theirs_out = os.pipe()
        program = next(path for path in PATHS if os.access(path, os.X_OK))

        def wire():
            # The protocol is on descriptors 3 and 4.
            first, second = os.dup(theirs_in), os.dup(theirs_out)
            os.dup2(first, 3)
            os.dup2(second, 4)

        self.process = subprocess.Popen(
            [program, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--remote-debugging-pipe",
             f"--user-data-dir={self.folder.name}", "about:blank"],
            close_fds=False, preexec_fn=wire, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(theirs_in)
        os.close(theirs_out)
        self.number, self.rest, self.console = 0, b"", []
        target = next(one for one in self("Target.getTargets")["targetInfos"] if one["type"] == "page")
        self.session = None
        self.session = self("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
        for domain in ["Page", "Runtime", "Log"]:
            self(domain + ".enable")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        os.close(self.to)
        os.close(self.source)

    def __call__(self, method, **parameters):
        """Calls a method of the protocol and returns its result."""
        self.number += 1
        call = {"id": self.number, "method": method, "params": parameters}
        if getattr(self, "session", None):
            call["sessionId"] = self.session
        os.write(self.to, json.dumps(call).encode() + b"\0")
        while True:
            message = self.next()
            if message.get("id") == self.number:
                assert "error" not in message, message
                return message["result"]

    def next(self):
        while b"\0" not in self.rest:
            part = os.read(self.source, 1 << 16)
            assert part, "the browser has ended"
            self.rest += part
        text, self.rest = self.rest.split(b"\0", 1)
        message = json.loads(text)
        event, content = message.get("method"), message.get("params", {})
        if event == "Runtime.consoleAPICalled" and content["type"] in ("error", "warning"):
            self.console.append(" ".join(str(one.get("value", one.get("description"))) for one in content["args"]))
        if event == "Runtime.exceptionThrown":
            self.console.append(content["exceptionDetails"].get("exception", {}).get("description", "exception"))
        if event == "Log.entryAdded" and content["entry"]["level"] in ("error", "warning"):
            self.console.append(content["entry"]["text"] + " " + content["entry"].get("url", ""))
        return message

    def look(self, width, height, dark=False):
        """Sets the size of the window, and light or dark."""
        self("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def open(self, address):
        self("Page.navigate", url=address)

    def value(self, script):
        """The value of an expression in the page."""
        result = self("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in result, result
        return result["result"].get("value")

    def until(self, script, seconds=30):
        """Waits for an expression that is true, and returns its value."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            value = self.value(script)
            if value:
                return value
            time.sleep(0.02)
        raise AssertionError(f"never true: {script}; console: {self.console}; page: {self.value('document.body.innerText')[:2000]}")

    def press(self, key, code=None):
        for kind in ["keyDown", "keyUp"]:
            self("Input.dispatchKeyEvent", type=kind, key=key, code=code or key,
                 text="\r" if key == "Enter" and kind == "keyDown" else "")

    def click(self, x, y):
        for kind in ["mousePressed", "mouseReleased"]:
            self("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def is_legible(self):
        """At every width, light and dark: nothing is cut off, and all texts have contrast."""
        for width in [1400, 1024, 390]:
            for dark in [False, True]:
                self.look(width, 900, dark)
                self.until(f"window.innerWidth === {width}")
                excess = self.value("document.documentElement.scrollWidth") - width
                assert excess <= 0, f"wider than {width} by {excess}"
                low = self.value(CONTRAST)
                assert not low, f"contrast at {width}, dark {dark}: {low}"

    def picture(self, path, whole=False):
        import base64
        result = self("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        Path(path).write_bytes(base64.b64decode(result["data"]))
