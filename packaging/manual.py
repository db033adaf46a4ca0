"""Writes the manual pages of a program from its own command definitions.

    manual.py PROGRAM FOLDER [DATE]

PROGRAM answers `--experimental-dump-help` with the JSON of swift-argument-parser. Each stage has a page in FOLDER, with
the commands inside it as further sections; the main page lists the stages, exit codes, files and environment.
"""

import json
import subprocess
import sys
from pathlib import Path

EXIT_CODES = [
    ("0", "Done."), ("1", "Failed, or an estimate was refused."), ("64", "Invalid use of the command line."),
    ("65", "Invalid input data."), ("66", "An input does not exist."), ("69", "No adapter, broker or server."),
    ("74", "Input or output error, or a full disk."), ("77", "No permission."), ("130", "Interrupted."),
]
ENVIRONMENT = [
    ("RSSI_REGISTRY", "The table of beacons that stages use unless --registry names one."),
    ("NO_COLOR", "Write no colours on a terminal."),
]


def escaped(text):
    """Escapes a text, so that roff finds no commands in it."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "\\(ga")
    return "\n".join("\\&" + line if line[:1] in (".", "\\(aq"[:1]) else line for line in text.split("\n"))


def names(argument):
    """Formats `-o, --output <output>` in roff: names bold, the value in italics."""
    if argument["kind"] == "positional":
        word = f"\\fI{escaped(argument['valueName'])}\\fR"
        return word + ("..." if argument["isRepeating"] else "")
    found = sorted(argument["names"], key=lambda name: name["kind"] != "short")
    words = [f"\\fB{escaped(('-' if name['kind'] == 'short' else '--') + name['name'])}\\fR" for name in found]
    value = f" \\fI{escaped(argument['valueName'])}\\fR" if argument["kind"] == "option" else ""
    return ", ".join(words) + value


def explanation(argument):
    """Returns the help of an argument, with its values and its default."""
    text = (argument.get("abstract", "") + " " + argument.get("discussion", "")).strip()
    values = argument.get("allValues")
    if values and not any(value in text for value in values):
        text += f" (values: {', '.join(values)})"
    default = argument.get("defaultValue")
    if default and "default:" not in text:
        text += f" (default: {default})"
    return escaped(text)


def paragraphs(text):
    """A discussion: text is filled, while indented lines and rows of columns stay as they are written."""
    lines, is_literal = [], False
    for line in text.split("\n"):
        if line and (line.startswith(" ") or "  " in line) != is_literal:
            is_literal = not is_literal
            lines.append(".nf" if is_literal else ".fi")
        lines.append(escaped(line) if line.strip() else ".PP")
    return lines + ([".fi"] if is_literal else [])


def body(command, title, level):
    """Returns the sections of one command."""
    arguments = [argument for argument in command.get("arguments", []) if argument["shouldDisplay"]]
    discussion, _, examples = command.get("discussion", "").partition("EXAMPLES:\n")
    # Lists of names follow the examples on a help page; here they belong to the description.
    examples, _, lists = examples.partition("\n\n")
    discussion = discussion.rstrip("\n") + ("\n\n" + lists if lists else "")
    words = [names(argument) if not argument["isOptional"] else f"[{names(argument)}]"
             for argument in arguments if argument["kind"] == "positional" or not argument["isOptional"]]
    if any(argument["isOptional"] for argument in arguments):
        words.insert(0, "[\\fIoptions\\fR]")
    if command.get("subcommands"):
        words = ["\\fIcommand\\fR", "[\\fIoptions\\fR]"]
    elif level == 0 and " " not in title:
        words = ["\\fIstage\\fR", "[\\fIoptions\\fR]"]
    synopsis = f"\\fB{escaped(title)}\\fR " + " ".join(words)
    heading = ".SH" if level == 0 else ".SS"
    lines = [".SH SYNOPSIS", synopsis, ".SH DESCRIPTION"] if level == 0 else [synopsis, ".PP"]
    lines += [escaped(command.get("abstract", ""))]
    if discussion.strip():
        lines += [".PP", *paragraphs(discussion.strip("\n"))]
    sections = {}
    for argument in arguments:
        section = "ARGUMENTS" if argument["kind"] == "positional" else argument.get("sectionTitle") or "Options"
        sections.setdefault(section.upper(), []).append(argument)
    for section in sorted(sections, key=lambda name: (name != "ARGUMENTS", name == "OPTIONS")):
        if level == 0:
            lines.append(f".SH {escaped(section)}")
        for argument in sections[section]:
            lines += [".TP", names(argument), explanation(argument)]
    if examples:
        lines += [f".SH EXAMPLES" if level == 0 else ".PP\nExamples:", ".nf", escaped(examples.rstrip("\n")), ".fi"]
    for inner in command.get("subcommands", []):
        if inner["commandName"] != "help" and inner["shouldDisplay"]:
            lines += [f".SH {escaped((title + ' ' + inner['commandName']).upper())}"] if level == 0 else []
            lines += body(inner, f"{title} {inner['commandName']}", level + 1)
    return lines


def table(entries):
    return [line for name, text in entries for line in (".TP", f"\\fB{escaped(name)}\\fR", escaped(text))]


def page(command, name, title, version, date, after):
    abstract = command.get("abstract", "").rstrip(".")
    return "\n".join(
        [f'.TH "{name.upper()}" 1 "{date}" "rssi {version}" "rssi"', ".nh", ".SH NAME",
         f"{escaped(name)} \\- {escaped(abstract)}",
         *body(command, title, 0), *after]) + "\n"


def main():
    program, folder = sys.argv[1], Path(sys.argv[2])
    date = sys.argv[3] if len(sys.argv) > 3 else ""
    folder.mkdir(parents=True, exist_ok=True)
    version = subprocess.run([program, "--version"], check=True, capture_output=True, text=True).stdout.split()[0]
    dump = subprocess.run([program, "--experimental-dump-help"], check=True, capture_output=True, text=True).stdout
    root = json.loads(dump)["command"]
    stages = [stage for stage in root["subcommands"] if stage["commandName"] != "help" and stage["shouldDisplay"]]
    for stage in stages:
        name = f"rssi-{stage['commandName']}"
        see = [".SH SEE ALSO", ".BR rssi (1)"]
        (folder / f"{name}.1").write_text(
            page(stage, name, f"rssi {stage['commandName']}", version, date, see))
    see = ", ".join(f".BR rssi\\-{escaped(stage['commandName'])} (1)" for stage in stages)
    main_page = dict(root, subcommands=[])
    after = [
        ".SH STAGES",
        *table((f"{stage['commandName']}", stage.get("abstract", "")) for stage in stages),
        ".SH EXIT STATUS", *table(EXIT_CODES), ".SH ENVIRONMENT", *table(ENVIRONMENT),
        ".SH FILES", *table([("/usr/share/doc/rssi", "The documentation, with an example to try.")]),
        ".SH SEE ALSO", see.replace(", ", ",\n"),
    ]
    (folder / "rssi.1").write_text(page(main_page, "rssi", "rssi", version, date, after))


main()
