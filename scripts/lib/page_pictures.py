"""Takes the pictures of the page during a drive of the demo (scripts/page-pictures)."""

import pathlib
import re
import subprocess
import sys

from page_check import browser, shot, text, wait_until
from selenium.webdriver.common.by import By

FOLDER = pathlib.Path("docs/page")
KILOMETRES = 10
"""The phone shows the drive from this distance on."""


def odometer(driver):
    """The kilometres on the page."""
    found = re.search(r"Odometer\n([0-9.]+) km", text(driver, "facts"))
    return float(found.group(1)) if found else 0


def main(program):
    """Runs the demo, and takes one picture while the vehicle moves and one when it has arrived."""
    demo = subprocess.Popen(
        [sys.executable, "demo/demo.py", "--trackerd", program, "--out", ".build/demo-out"], stdout=subprocess.PIPE, text=True)
    try:
        url = next(line.strip() for line in demo.stdout if "http://" in line)
        phone, desktop = browser(390, 844, False), browser(1280, 900, False)
        phone.get(url)
        desktop.get(url)
        ready = wait_until(lambda: odometer(phone) > KILOMETRES and text(phone, "state").startswith("Moving at"), 120)
        shot(phone, FOLDER, "drive-phone", "timeline")
        ready &= wait_until(lambda: text(desktop, "state").startswith("Parked since"), 120)
        desktop.find_element(By.CSS_SELECTOR, "#trips button").click()
        ready &= wait_until(lambda: text(desktop, "title").startswith("Trip "))
        desktop.find_element(By.XPATH, "//button[text()='Explain']").click()
        ready &= wait_until(lambda: desktop.find_elements(By.CSS_SELECTOR, "#why-events li"))
        shot(desktop, FOLDER, "drive-desktop")
        return 0 if ready else 1
    finally:
        demo.terminate()
        demo.wait()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
