"""Looks at the live page of `rssi serve` as a person does, in a headless browser.

live_page.py PROGRAM widths|follow|record|hostile SOURCE [OPTION...]
"""

import json
import subprocess
import sys
import time

from browser import Browser

program, how, *arguments = sys.argv[1:]
NODES = "document.querySelectorAll('#plan-answers circle.now').length"
ROWS = "document.querySelectorAll('#beacon-table tbody tr').length"


class Server:
    def __init__(self, listen="127.0.0.1:0"):
        self.process = subprocess.Popen(
            [program, "serve", *arguments, "--listen", listen], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().strip()
        assert self.url, self.process.stderr.read()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()


def widths(browser):
    """At every width, light and dark: nothing complains, nothing is cut off, all texts can be read."""
    with Server() as server:
        browser.open(server.url)
        browser.until(NODES)
        browser.until(ROWS)
        browser.is_legible()
        assert "token" not in browser.value("location.href"), "the token stays in the address"


def follow(browser):
    """Positions move, events come, the history is there; a server that starts again is found again."""
    first = Server()
    browser.look(1400, 900)
    browser.open(first.url)
    place = "document.getElementById('plan-readout').innerText"
    browser.until(NODES)
    before = browser.value(place)
    browser.until(f"{place} !== {json.dumps(before)}")
    browser.until("document.querySelectorAll('#event-list li').length > 3")
    browser.until("document.getElementById('health-facts').innerText.indexOf('sightings') >= 0")
    # With the keyboard alone: the history, and steps through it.
    browser.value("document.getElementById('plan-past').focus()")
    browser.press(" ", "Space")
    browser.until("document.getElementById('plan-past').checked && document.getElementById('plan-epoch').max > 0")
    last = browser.value("document.getElementById('plan-epoch').value")
    browser.value("document.getElementById('plan-back').focus()")
    browser.press("Enter")
    browser.until(f"document.getElementById('plan-epoch').value == {int(last) - 1}")
    browser.value("document.getElementById('plan-past').click()")
    first.__exit__()
    browser.until("document.getElementById('connection').classList.contains('broken')")
    address = first.url.split("//")[1].split("/")[0]
    with Server(address) as second:
        browser.until("!document.getElementById('connection').classList.contains('broken')")
        browser.until(NODES)
        # The token of the other run is not valid any longer; reading needs none here.
        assert second.url != first.url
    # What a browser notes of a server that is away.
    browser.console = [one for one in browser.console if "net::ERR_" not in one]


def record(browser):
    """A recording is started, places are marked by click and by keyboard, and it is stopped."""
    with Server() as server:
        browser.look(1400, 1400)
        # Without the token a person may look only.
        browser.open(server.url.split("#")[0])
        browser.until(NODES)
        assert browser.value("document.getElementById('record').disabled")
        browser.open("about:blank")
        browser.open(server.url)
        browser.until(NODES)
        browser.until("!document.getElementById('record').disabled")
        browser.value("document.getElementById('record').focus()")
        browser.press("Enter")
        browser.until("!document.getElementById('marking').hidden")
        x, y = browser.value("(function (box) { return [box.left + box.width / 3, box.top + box.height / 2]; })"
                             "(document.getElementById('plan-picture').getBoundingClientRect())")
        browser.click(x, y)
        browser.until("document.querySelectorAll('.truth-now').length === 1")
        marked = browser.value("[document.getElementById('mark-x').value, document.getElementById('mark-y').value]")
        for name, value in [("x", "2.5"), ("y", "1.25")]:
            browser.value(f"document.getElementById('mark-{name}').value = {value}")
        browser.value("document.getElementById('mark').focus()")
        browser.press("Enter")
        browser.until("document.querySelectorAll('.truth-now').length === 2")
        browser.value("document.getElementById('record').click()")
        said = browser.until("(function (text) { return text.indexOf('recorded ') === 0 && text; })"
                             "(document.getElementById('recording-text').textContent)")
        print(json.dumps({"said": said, "marked": [float(one) for one in marked]}))


def hostile(browser):
    """Names are text, whatever is in them."""
    with Server() as server:
        browser.look(1024, 900)
        browser.open(server.url)
        browser.until(f"{ROWS} >= 8")
        browser.until("document.querySelectorAll('#event-list li').length")
        assert browser.value("typeof window.broken") == "undefined"
        assert browser.value("document.documentElement.scrollWidth") <= 1024
        print(json.dumps(browser.value(
            "Array.from(document.querySelectorAll('#beacon-table tbody th')).map(function (one) { return one.firstChild.title; })")))


with Browser() as browser:
    {"widths": widths, "follow": follow, "record": record, "hostile": hostile}[how](browser)
    assert not browser.console, browser.console
