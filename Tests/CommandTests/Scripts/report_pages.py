"""Looks at pages of reports as a person does, in a headless browser.

report_pages.py PAGE...
"""

import sys
from pathlib import Path

from browser import Browser

with Browser() as browser:
    for page in sys.argv[1:]:
        browser.open(Path(page).resolve().as_uri())
        browser.until("document.readyState === 'complete' && !!document.getElementById('plan-zoom-in')")
        browser.is_legible()
        assert not browser.console, f"{page}: {browser.console}"
        # With the keyboard alone: into the plan, and a step on.
        browser.look(1400, 900)
        browser.value("document.getElementById('plan-zoom-in').focus()")
        browser.press("Enter")
        browser.until("document.getElementById('plan-picture').classList.contains('zoomed')")
        if browser.value("!!document.getElementById('plan-forward')"):
            before = browser.value("document.getElementById('plan-epoch').value")
            browser.value("document.getElementById('plan-forward').focus()")
            browser.press("Enter")
            browser.until(f"document.getElementById('plan-epoch').value !== '{before}'")
        print(page)
