# SPDX-License-Identifier: GPL-3.0-or-later
"""Collects what the interface says, for translators: python tools/extract_messages.py writes the template.

Read from the sources without running them: names and descriptions of properties, items of menus, labels and tooltips
of operators and panels, texts of buttons, reports, and what is marked by n_ or put together by iface_ and rpt_.
"""

import ast
import json
import re
import runpy
from collections.abc import Iterator
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
ADDON = REPOSITORY / "plant_dynamics_addon"
TEMPLATE = ADDON / "translations" / "messages.pot"

ANY, OPERATOR = "*", "Operator"

#: Calls whose first text is shown: by the function's name, the position of the text.
_TEXT_AT = {
    "iface_": 0, "rpt_": 0, "n_": 0, "poll_message_set": 0, "message": 2, "report": 1, "PlantError": 0, "RigWarning": 0,
    "Button": 1, "needs": 2,
}  # fmt: skip
_OPERATOR_CALLS = {"operator", "operator_menu_enum"}
_LABEL_AT = {"Quantity": 2, "Compared": 1}  # where calls have a label, with the description behind it
_ITEM = re.compile(r"\w[\w ]*")

#: Name and words of a constant that has a range.
_SLIDER = re.compile(r"^let (\w+) *=[^#\n]*# *\[[^]]*\] *(.+)$", re.M)

Message = tuple[str, str]  # context and text

#: Levels of a row in Status.
_ICONS = {"INFO", "ERROR", "CHECKMARK", "TIME", "PLAY"}


def _texts(node: ast.AST | None) -> Iterator[str]:
    """The texts that an expression can be, where they are written out."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from _texts(node.body)
        yield from _texts(node.orelse)


def _name(call: ast.Call) -> str:
    return getattr(call.func, "attr", getattr(call.func, "id", ""))


def _of_class(node: ast.ClassDef) -> Iterator[Message]:
    is_operator = "_OT_" in node.name
    for statement in node.body:
        if isinstance(statement, ast.Assign) and getattr(statement.targets[0], "id", "") == "bl_label":
            yield from ((OPERATOR if is_operator else ANY, text) for text in _texts(statement.value))
        elif isinstance(statement, ast.Assign) and getattr(statement.targets[0], "id", "") == "labels":
            yield from ((ANY, text) for value in getattr(statement.value, "values", ()) for text in _texts(value))
        elif isinstance(statement, ast.FunctionDef) and statement.name == "why_idle":
            returns = (part for part in ast.walk(statement) if isinstance(part, ast.Return))
            yield from ((ANY, text) for part in returns for text in _texts(part.value) if text)
        elif is_operator and isinstance(statement, ast.Assign):
            yield from ((ANY, text) for text in _doing(statement))
    if is_operator and ast.get_docstring(node):
        yield ANY, str(ast.get_docstring(node))


def _doing(statement: ast.Assign) -> Iterator[str]:
    """What the status bar says that an operator is at work on, and what it reports when it is given up."""
    target, value = statement.targets[0], statement.value
    pairs = zip(target.elts, value.elts, strict=True) if isinstance(target, ast.Tuple) else [(target, value)]
    for name, text in pairs:
        if getattr(name, "id", "") in ("doing", "beginning", "given_up"):
            yield from (one for one in _texts(text) if one)


def _of_call(node: ast.Call) -> Iterator[Message]:
    name = _name(node)
    keywords = {keyword.arg: keyword.value for keyword in node.keywords}
    if name.endswith("Property"):
        for key in ("name", "description"):
            yield from ((ANY, text) for text in _texts(keywords.get(key)))
    for key in ("text", "heading"):
        context = OPERATOR if name in _OPERATOR_CALLS else ANY
        yield from ((context, text) for text in _texts(keywords.get(key)))
    if name in _TEXT_AT and len(node.args) > _TEXT_AT[name]:
        context = OPERATOR if name == "Button" else ANY
        yield from ((context, text) for text in _texts(node.args[_TEXT_AT[name]]))
    if name == "AddButton":  # label and tooltip of an operator
        yield from ((context, text) for context, part in zip((OPERATOR, ANY), node.args, strict=True)
                    for text in _texts(part))
    if name in _LABEL_AT:
        at = _LABEL_AT[name]
        yield from ((ANY, text) for part in node.args[at : at + 2] for text in _texts(part))


def _of_tuple(node: ast.Tuple) -> Iterator[Message]:
    """An item of a menu: identifier, name, description, perhaps more."""
    if len(node.elts) == 2 and set(_texts(node.elts[1])) & _ICONS:
        yield from ((ANY, text) for text in _texts(node.elts[0]))
    first = node.elts[:3]
    if len(first) == 3 and all(isinstance(part, ast.Constant) and isinstance(part.value, str) for part in first):
        identifier, label, description = (next(_texts(part)) for part in first)
        if _ITEM.fullmatch(identifier) and label[:1].isupper():
            yield ANY, label
            yield ANY, description


def _of_source(path: Path) -> Iterator[Message]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ClassDef):
            yield from _of_class(node)
        elif isinstance(node, ast.Call):
            yield from _of_call(node)
        elif isinstance(node, ast.Tuple):
            yield from _of_tuple(node)
        elif isinstance(node, ast.Assign) and "panels" in path.parts and getattr(node.targets[0], "id", "") == "text":
            yield from ((OPERATOR, text) for text in _texts(node.value))  # of a button that is drawn below


def _of_plant(text: str) -> Iterator[str]:
    """Title, description and the words for the sliders of a plant."""
    words_for = runpy.run_path(str(ADDON / "grow" / "labels.py"))["words_for"]
    yield from dict.fromkeys(
        [found[1] for found in re.finditer(r"^(?:name|description): *(.+)$", text, re.M)]
        + [words_for(name, words) for name, words in _SLIDER.findall(text)]
    )


def messages() -> dict[Message, list[str]]:
    """Where each message is said, by context and text, in the order of files and lines."""
    found: dict[Message, list[str]] = {}
    for path in sorted(ADDON.rglob("*.py")):
        place = path.relative_to(REPOSITORY).as_posix()
        for context, text in _of_source(path):
            if any(letter.islower() for letter in text) and place not in found.setdefault((context, text), []):
                found[context, text].append(place)
    for path in sorted((REPOSITORY / "lsystem" / "presets").glob("*.lsys")):
        for text in _of_plant(path.read_text(encoding="utf-8")):
            found.setdefault((ANY, text), []).append(path.relative_to(REPOSITORY).as_posix())
    for path in sorted((ADDON / "presets").rglob("*.json")):
        found.setdefault((OPERATOR, path.stem), []).append(path.relative_to(REPOSITORY).as_posix())
    return found


def labels() -> set[Message]:
    """Those of the messages that are short and always seen: not the tooltips and reports."""
    found = set()
    for path in sorted(ADDON.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                found |= set(list(_of_class(node))[:1])
            elif isinstance(node, ast.Tuple):
                found |= set(list(_of_tuple(node))[:1])
            elif isinstance(node, ast.Call) and _name(node) not in {"report", "PlantError", "poll_message_set"}:
                tooltip = {text for word in node.keywords if word.arg == "description" for text in _texts(word.value)}
                found |= {message for message in _of_call(node) if message[1] not in tooltip}
    return found & set(messages())


def template() -> str:
    """The file for translators."""
    parts = ["# Messages of Plant Dynamics. Written by tools/extract_messages.py.\n"]
    for (context, text), places in messages().items():
        where = "".join(f"#: {place}\n" for place in places)
        said = "" if context == ANY else f'msgctxt "{context}"\n'
        parts.append(f'{where}{said}msgid {json.dumps(text, ensure_ascii=False)}\nmsgstr ""\n')
    return "\n".join(parts)


if __name__ == "__main__":
    TEMPLATE.write_text(template(), encoding="utf-8")
    print(f"{TEMPLATE}: {len(messages())} messages")
