#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Holds the JSON Schemas of plans and lab files to what rig's readers accept.

check_schemas.py READER_PROGRAM SOURCE_FOLDER

The readers are asked for their keys: a mapping with a key that nobody knows is refused with a sentence that lists those
that are known. Files are written as JSON, which is YAML whose types cannot be mistaken.
"""
import copy
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import jsonschema
import yaml

UNKNOWN = "qqqqqqqqqqqqqqqq"

# What every value of the full files is changed to, one at a time.
REPLACEMENTS = [
    None, True, [], {}, ["a"], {"a": 1}, "", "word", "two\nlines", "$length", "$nowhere", 7, 10**9, 1.5,
    "5 s", "5s", " 1.5 ms ", ".5 us", "5. µs", "1e3 ns", "-5 s", "5", "5 sec", "inf s", "2 min", "1 h", "99999 h",
    "4 MHz", "0.5 Hz", "4 mhz", "3 %", "50 ppm", "500 %", "-3 %", "% 3", "3 % + 500 us", "3 %+", "+ 3 %", "1e+3 us", "3 % + 5",
    "1 tick", "2 ticks", "-1 tick", "1.5 ticks", "1 frame ± 3 %", "2 frames +- 50 ppm", "1.5 frame+/-3 %", "1 frames± 3 %",
    "1 frame ± 3", "-1 frame ± 3 %", "nan frame ± 3 %", "wire", "jiffies", "wire over frames", "jiffies over frames",
    ["tx"], ["tx", "cts"], ["wire", "marker"], ["wire", "jiffies"], ["wire"], ["marker"], [1], ["a", "b\nc"], {"shell": "x"},
    {"printk_test": {"length": 16}}, {"length": [1, 2]}, {"length": [1, "x"]}, {"tx": "D0"}, {"within": "1 s"}, {"within": "1 ppm"}]

# Refusals that no schema can express, as the $comment of each says: names that refer to each other, and ranges of text.
BEYOND_A_SCHEMA = re.compile(
    r"which is no case of this plan|which this case does not sweep|sweeps to a |repeats the case|, and so is |"
    r"is outside 0 s to 30 days|'99999 h' is not a tolerance|must be at most 100 %|must be above 0 %|"
    r"fits a line, and no case|must be below what .at most. says|is not a whole number of hertz above zero|samples for each bit at")


class Loader(yaml.SafeLoader):
    """YAML 1.2's core types, as an editor reads them: PyYAML's own know dates, sexagesimals and `on`."""


Loader.yaml_implicit_resolvers = {}
for tag, pattern, first in [
        ("null", r"^(~|null|Null|NULL|)$", ["~", "n", "N", ""]),
        ("bool", r"^(true|True|TRUE|false|False|FALSE)$", list("tTfF")),
        ("int", r"^[-+]?[0-9]+$", list("-+0123456789")),
        ("float", r"^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$", list("-+.0123456789"))]:
    Loader.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", re.compile(pattern), first)


def load(path):
    documents = list(yaml.load_all(path.read_text(encoding="utf-8"), Loader))
    return documents if len(documents) > 1 else documents[0]


class Kind:
    """One kind of file: its schema, and the reader of the same."""

    def __init__(self, name, program, schema_file):
        self.name = name
        self.program = program
        self.schema = json.loads(schema_file.read_text(encoding="utf-8"))
        jsonschema.Draft202012Validator.check_schema(self.schema)
        self.validator = jsonschema.Draft202012Validator(self.schema)

    def read_files(self, files):
        done = subprocess.run([self.program, self.name, *map(str, files)], check=True, capture_output=True, text=True)
        return [json.loads(line) for line in done.stdout.splitlines()]

    def read(self, documents):
        """The reader's refusal of each document, None where it accepts."""
        with tempfile.TemporaryDirectory() as folder:
            files = [Path(folder, f"{number}.yaml") for number in range(len(documents))]
            for file, document in zip(files, documents):
                file.write_text(json.dumps(document, ensure_ascii=False), encoding="utf-8")
            refusals = self.read_files(files)
        assert len(refusals) == len(documents), "the reader died"
        return refusals

    def accepts(self, document):
        return self.validator.is_valid(document)

    def resolve(self, schema):
        while "$ref" in schema:
            at = self.schema
            for step in schema["$ref"].removeprefix("#/").split("/"):
                at = at[step]
            schema = {**at, **{key: value for key, value in schema.items() if key != "$ref"}}
        return schema


def places(document, path=()):
    """Every value of a document by the steps that lead to it."""
    yield path, document
    steps = document.items() if isinstance(document, dict) else enumerate(document) if isinstance(document, list) else ()
    for step, value in steps:
        yield from places(value, path + (step,))


def changed(document, path, change):
    """A copy of the document in which the value at `path` is what `change` makes of it."""
    if not path:
        return change(copy.deepcopy(document))
    document = copy.deepcopy(document)
    parent = document
    for step in path[:-1]:
        parent = parent[step]
    parent[path[-1]] = change(parent[path[-1]])
    return document


def schemas_at(kind, document, path):
    """The schemas of the value at `path`: the one it satisfies of a choice first, then the others of the choice."""
    found = [kind.resolve(kind.schema)]
    value = document
    for step in path:
        schema = found[0]
        below = schema["properties"].get(step) if step in schema.get("properties", {}) else None
        below = below or (schema["items"] if isinstance(value, list) else schema["additionalProperties"])
        value = value[step]
        below = kind.resolve(below)
        choices = [kind.resolve(choice) for choice in below.get("oneOf", [below])]
        root = {key: kind.schema[key] for key in ("$schema", "$defs")}
        fits = [jsonschema.Draft202012Validator({**root, **choice}).is_valid(value) for choice in choices]
        found = [choice for _, choice in sorted(zip(fits, choices), key=lambda pair: not pair[0])]
    return found


def keys_of_schema(schemas):
    """Keys of the first schema; the reader also knows the key that would have chosen another."""
    return set(schemas[0]["properties"]) | {other["required"][0] for other in schemas[1:]}


def keys_of_reader(refusal):
    known = re.search(rf"'{UNKNOWN}' is not a known key \(known here: (.*)\)$", refusal or "accepted")
    assert known, f"the reader does not list its keys: {refusal}"
    return set(known.group(1).split(", "))


def check_keys(kind, full):
    """In each mapping of the full file, the reader knows the keys of the schema and no others."""
    mappings = [path for path, value in places(full)
                if isinstance(value, dict) and "properties" in schemas_at(kind, full, path)[0]]
    strangers = [changed(full, path, lambda value: {**value, UNKNOWN: 1}) for path in mappings]
    for path, document, refusal in zip(mappings, strangers, kind.read(strangers)):
        in_schema = keys_of_schema(schemas_at(kind, full, path))
        assert keys_of_reader(refusal) == in_schema, f"{path}: schema {sorted(in_schema)}; reader: {refusal}"
        assert not kind.accepts(document), f"{path}: the schema takes any key"
    return len(mappings)


def check_full(kind, full):
    """The full file has every key of the schema, so that no key goes unchecked."""
    kind.validator.validate(full)
    refusal = kind.read([full])[0]
    assert refusal is None, refusal
    written = {key for _, value in places(full) if isinstance(value, dict) for key in value}
    for path, value in places(kind.schema):
        if path[-1:] == ("properties",):
            assert set(value) <= written, f"the full {kind.name} lacks {sorted(set(value) - written)}"
            for key, schema in value.items():
                assert kind.resolve(schema).get("description"), f"{key} has no description"


def unquoted(document):
    return json.loads(re.sub(r'"([0-9]+)"(?!:)', r"\1", json.dumps(document)))


def check_same(kind, documents):
    """Schema and reader give the same verdict, except where only the reader can know, and offer the same words."""
    offered = [value for path, value in places(kind.schema) if path[-1:] == ("enum",)]
    for document, refusal in zip(documents, kind.read(documents)):
        accepted = kind.accepts(document)
        text = json.dumps(document, ensure_ascii=False)
        words = re.search(r"must be one of (.*), not '", refusal or "")
        assert not words or words.group(1).split(", ") in offered, f"the schema offers other words: {refusal}"
        if accepted and refusal:
            assert BEYOND_A_SCHEMA.search(refusal), f"the schema accepts what the reader refuses: {refusal}\n{text}"
        if not accepted and not refusal:
            # Quotes around a whole number mean nothing to the reader; an editor says that they are not needed.
            assert kind.accepts(unquoted(document)), f"the schema refuses what the reader accepts: {text}"


def bounds(kind):
    """The ends of every range in the schema, and the numbers just outside."""
    ends = [value for path, value in places(kind.schema) if path[-1:] in (("minimum",), ("maximum",))]
    return sorted({end + step for end in ends for step in (-1, 0, 1)})


def mutations(kind, full):
    replacements = REPLACEMENTS + bounds(kind)
    for path, value in places(full):
        for replacement in replacements:
            yield changed(full, path, lambda _, new=replacement: copy.deepcopy(new))
        for key in value if isinstance(value, dict) else ():
            yield changed(full, path, lambda old, gone=key: {k: v for k, v in old.items() if k != gone})


def check_refused(kind, documents):
    for document, refusal in zip(documents, kind.read(documents)):
        text = json.dumps(document, ensure_ascii=False)
        assert refusal, f"the reader accepts {text}"
        assert not kind.accepts(document), f"the schema accepts {text}"


def check_shipped(kind, files):
    assert files, f"no {kind.name} is shipped"
    for file, refusal in zip(files, kind.read_files(files)):
        assert refusal is None, refusal
        kind.validator.validate(load(file))
        modeline = re.match(r"# yaml-language-server: \$schema=(\S+)\n", file.read_text(encoding="utf-8"))
        assert modeline, f"{file} does not begin with its schema"
        assert (file.parent / modeline.group(1)).resolve().name == f"{kind.name}.schema.json", f"{file} names another schema"
        assert (file.parent / modeline.group(1)).exists(), f"{file}: its schema is not there"


def check(name, program, source, folder):
    kind = Kind(name, program, source / folder / f"{name}.schema.json")
    here = Path(__file__).parent
    full = load(here / f"full_{name}.yaml")
    check_shipped(kind, sorted((source / folder).glob("*.yaml")))
    check_full(kind, full)
    mappings = check_keys(kind, full)
    refused = load(here / f"refused_{name}s.yaml")
    check_refused(kind, refused)
    changes = list(mutations(kind, full))
    check_same(kind, changes)
    print(f"{name}: keys of {mappings} mappings, {len(refused)} refused files, {len(changes)} changes")


check("plan", sys.argv[1], Path(sys.argv[2]), "testplans")
check("lab", sys.argv[1], Path(sys.argv[2]), "lab")
