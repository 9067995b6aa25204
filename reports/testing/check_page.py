#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads pages of `rig_reports_sample` with parsers that are not ours.

check_page.py SAMPLE_PROGRAM

The strict one (expat) must accept each page as XML, the forgiving one (html.parser, as a browser reads it) must see the
same elements; neither may see an element or attribute that the page is not made of.
"""
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as tree
from html.parser import HTMLParser
from pathlib import Path

ELEMENTS = set(
    "html head meta title style body header h1 h2 h3 p b i span nav a main section figure div dl dt dd ul li details summary "
    "pre mark table caption thead tbody tr th td small svg g path rect circle text desc".split())
ATTRIBUTES = set(
    "lang charset name content http-equiv class id href role tabindex aria-label aria-labelledby aria-hidden scope viewbox d x y "
    "width height cx cy r".split())


class Seen(HTMLParser):
    """What a forgiving reader finds on the page."""

    def __init__(self):
        super().__init__()
        self.elements = []
        self.text = []

    def handle_starttag(self, tag, attrs):
        self.elements.append(tag)
        assert tag in ELEMENTS, f"element {tag}"
        for name, value in attrs:
            assert name in ATTRIBUTES, f"attribute {name} of {tag}"
            assert name != "href" or value.startswith("#"), f"a link leads to {value}"

    def handle_data(self, data):
        self.text.append(data)

    def handle_comment(self, data):
        raise AssertionError(f"a comment: {data[:60]}")

    def handle_decl(self, decl):
        assert decl == "DOCTYPE html", decl


def check(program, kind):
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder, "page.html")
        subprocess.run([program, kind, str(page)], check=True)
        text = page.read_text(encoding="utf-8")
    seen = Seen()
    seen.feed(text)
    seen.close()
    strict = [element.tag.lower() for element in tree.fromstring(text).iter()]
    assert seen.elements == strict, "the two parsers disagree"
    if kind == "hostile":
        assert "<script>alert(1)</script></svg>" in "".join(seen.text), "the hostile text is not shown"
    print(f"{kind}: {len(text.encode())} bytes, {len(strict)} elements")


for sample in ("ordinary", "hostile", "thousand", "failed"):
    check(sys.argv[1], sample)
