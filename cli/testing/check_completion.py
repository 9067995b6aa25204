#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Completes command lines of rig in the shells themselves.

check_completion.py RIG SOURCE_FOLDER

What is offered is compared with --help, which is made of the same options by other code. bash must be there; zsh and
fish are asked where they are installed.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

RIG, SOURCE = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()

# compopt works only while a shell completes; here it is told to hold still.
BASH = """source "$1"; shift
compopt() { :; }
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
_rig
printf '%s\\n' "${COMPREPLY[@]}"
"""


def run(*command, **options):
    return subprocess.run(list(map(str, command)), check=True, capture_output=True, text=True, **options).stdout


def help_of(*command):
    return run(RIG, *command, "--help")


def options_in_help(*command):
    rows = re.findall(r"^  (-\S+)", help_of(*command), re.MULTILINE)
    return {name for row in rows for name in row.split(",")}


class Bash:
    """Command lines are given as bash hands them over: taken apart at '=' and ':'."""

    def __init__(self, folder):
        self.script = folder / "rig.bash"
        self.script.write_text(run(RIG, "completion", "bash"))
        run("bash", "-n", self.script)

    def complete(self, *words):
        out = run("bash", "--norc", "-c", BASH, "bash", self.script, RIG, *words, cwd=SOURCE)
        return set(filter(None, out.splitlines()))


class Fish:
    """Command lines are one text; fish says what it would offer."""

    def __init__(self, folder):
        self.script = folder / "rig.fish"
        self.script.write_text(run(RIG, "completion", "fish"))
        self.home = folder
        run("fish", "-n", self.script)

    def complete(self, text):
        environment = {**os.environ, "PATH": f"{RIG.parent}:{os.environ['PATH']}", "HOME": str(self.home)}
        out = run("fish", "--no-config", "-c", f"source {self.script}; complete -C 'rig {text}'", cwd=SOURCE, env=environment)
        return {line.split("\t")[0] for line in out.splitlines()}


def hostile_lab(folder):
    """A lab file whose station is a command, were it ever expanded; the command leaves a file behind. No such name is read."""
    lab = folder / "hostile.yaml"
    lab.write_text(f"stations:\n  '$(touch {folder}/ran)': {{}}\n  '`touch {folder}/ran`': {{}}\n  plain: {{}}\n")
    return lab


def check_bash(folder):
    bash = Bash(folder)
    plans = {f"testplans/{plan.name}" for plan in (Path(SOURCE) / "testplans").glob("*.yaml")}
    commands = set(re.findall(r"^  ([a-z]+) ", help_of().split("Subcommands:")[1], re.MULTILINE))
    assert bash.complete("") == commands, bash.complete("")
    assert bash.complete("-") == options_in_help()
    assert bash.complete("re") == {command for command in commands if command.startswith("re")}, bash.complete("re")
    assert {"replay", "report"} <= bash.complete("re")
    for command in commands:
        assert bash.complete(command, "-") == options_in_help(command), command
    assert bash.complete("run", "testplans/") == plans
    assert bash.complete("run", "--lab", "lab/") == {"lab/virtual.yaml"}
    stations = set(run(RIG, "completion", "--stations", "lab/virtual.yaml", cwd=SOURCE).splitlines())
    assert "versatilepb" in stations
    assert bash.complete("run", "testplans/printk.yaml", "--station", "") == stations
    assert bash.complete("run", "--lab", "=", "lab/virtual.yaml", "--station", "=") == stations
    assert bash.complete("run", "--lab", "missing.yaml", "--station", "") == set()
    assert bash.complete("run", "--set", "cases.0.trials", "=", "5", "testplans/") == plans
    assert bash.complete("run", "--set", "cases.0.trials", "=") == set()
    assert bash.complete("decode", "-o", "") == {"text", "bytes", "frames", "json", "csv"}
    assert bash.complete("completion", "") == {"bash", "zsh", "fish"}
    assert bash.complete("run", "--lab", hostile_lab(folder), "--station", "") == set()
    assert not (folder / "ran").exists(), "a name in a lab file was run"


def check_fish(folder):
    fish = Fish(folder)
    assert {"run", "decode", "completion"} <= fish.complete("")
    for command in ("run", "decode"):
        offered = fish.complete(command + " -") | fish.complete(command + " --")
        long_names = {name for name in options_in_help(command) if name.startswith("--")}
        assert long_names <= offered, (command, offered)
    assert "testplans/printk.yaml" in fish.complete("run testplans/p")
    assert "versatilepb-hrt" in fish.complete("run --lab lab/virtual.yaml --station ")
    assert "versatilepb-hrt" in fish.complete("run --lab=lab/virtual.yaml --station ver")
    assert fish.complete(f"run --lab {hostile_lab(folder)} --station ") == set()
    assert not (folder / "ran").exists(), "a name in a lab file was run"


def check_zsh(folder):
    script = folder / "_rig"
    script.write_text(run(RIG, "completion", "zsh"))
    run("zsh", "-n", script)


checks = {"bash": check_bash, "zsh": check_zsh, "fish": check_fish}
for shell, check in checks.items():
    if shell != "bash" and not shutil.which(shell):
        print(f"{shell}: not installed, not checked")
        continue
    with tempfile.TemporaryDirectory() as scratch:
        check(Path(scratch))
    print(f"{shell}: checked")
