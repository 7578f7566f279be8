# SPDX-License-Identifier: GPL-3.0-or-later
"""The template for translators is complete, the German fits it, and Blender shows it."""

import importlib
import json
import os
import re
import runpy
import subprocess
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import bpy
import pytest

REPOSITORY = Path(__file__).resolve().parents[3]
TOOL = runpy.run_path(str(REPOSITORY / "tools" / "extract_messages.py"))
GERMAN = json.loads((REPOSITORY / "plant_dynamics_addon/translations/de_DE.json").read_text(encoding="utf-8"))


@cache
def messages():
    """What the sources say, which takes a while to read."""
    return TOOL["messages"]()


def test_the_template_is_up_to_date():
    written = TOOL["TEMPLATE"].read_text(encoding="utf-8")
    assert written == TOOL["template"](), "run python tools/extract_messages.py"


def registered(addon, base):
    """Classes of the extension that Blender knows, of a kind."""
    waiting, found = list(base.__subclasses__()), []
    while waiting:
        cls = waiting.pop()
        waiting += cls.__subclasses__()
        if cls.__module__.startswith(addon.__name__) and cls.is_registered:
            found.append(cls)
    return found


def test_the_template_has_what_operators_say(addon):
    """Labels and tooltips that Blender looks up, against those that were read from the sources."""
    known = {text for _, text in messages()}
    classes = registered(addon, bpy.types.Operator)
    assert len(classes) > 35
    for cls in classes:
        rna = getattr(bpy.ops.plant_dynamics, cls.bl_idname.split(".")[1]).get_rna_type()
        assert ("Operator", cls.bl_label) in messages()
        assert rna.name == cls.bl_label
        assert rna.description in known
        for prop in rna.properties:
            if prop.identifier not in ("rna_type", prop.name) and not prop.is_hidden:
                assert prop.name in known, (cls, prop.identifier)
                assert not prop.description or prop.description in known, (cls, prop.identifier)


def test_the_template_has_the_names_of_panels(addon):
    classes = registered(addon, bpy.types.Panel)
    assert len(classes) > 20
    assert {cls.bl_label for cls in classes} <= {text for _, text in messages()}


@pytest.mark.parametrize("owner", ["Object", "Bone", "Scene"])
def test_the_template_has_the_names_of_all_settings(addon, owner):
    known = {text for _, text in messages()}
    hidden = {"name", "rna_type"}
    for prop in getattr(bpy.types, owner).bl_rna.properties["plant_dynamics"].fixed_type.properties:
        if prop.identifier not in hidden and not prop.is_hidden and prop.type != "COLLECTION":
            said = prop.name
            assert said in known or said == prop.identifier.replace("_", " ").title() or prop.type == "POINTER", said


def test_german_says_nothing_that_is_not_asked():
    assert set(GERMAN) - {text for _, text in messages()} == set()


def test_german_has_labels_buttons_and_what_operators_do(addon):
    """Nearly all: what has come in since is for the next translation."""
    labels = {text for _, text in TOOL["labels"]()}
    missing = labels - set(GERMAN)
    assert len(missing) < 0.1 * len(labels), sorted(missing)
    operators = registered(addon, bpy.types.Operator)
    untold = {cls.__doc__ for cls in operators} - set(GERMAN)
    assert len(untold) < 0.1 * len(operators), sorted(untold)


def test_german_keeps_what_is_filled_in():
    for text, said in GERMAN.items():
        assert sorted(re.findall(r"\{.*?\}", text)) == sorted(re.findall(r"\{.*?\}", said)), text
        assert said.strip() == said or text.strip() != text, text


def test_german_has_umlauts_and_no_makeshift_for_them():
    words = " ".join(GERMAN.values())
    assert all(letter in words for letter in "äöüÄß")
    assert not re.search(r"\b(fuer|ueber|koenn\w*|waehl\w*|zurueck\w*|hinzufueg\w*|aender\w*|groess\w*)", words, re.I)
    assert "\ufffd" not in words
    assert "Ã" not in words


def test_every_language_is_registered_for_labels_and_buttons(addon, monkeypatch):
    module = importlib.import_module(f"{addon.__name__}.plant_dynamics_addon.translations")
    given = {}
    translations = SimpleNamespace(register=given.__setitem__, unregister=given.__delitem__)
    monkeypatch.setattr(module, "bpy", SimpleNamespace(app=SimpleNamespace(translations=translations)))
    module.register()
    words = given[addon.__name__]["de_DE"]
    assert words["*", "Damping"] == "Dämpfung"
    assert words["Operator", "Make Dynamic"] == "Dynamisch machen"
    assert words["Plant Dynamics", "Grab"] == "Greifen", "which Blender takes for moving"
    assert len(words) == 3 * len(GERMAN)
    module.unregister()
    assert given == {}


_ASK = """
import addon_utils, bpy
addon_utils.enable("bl_ext.user_default.plant_dynamics", default_set=True)
view = bpy.context.preferences.view
view.language, view.use_translate_interface, view.use_translate_tooltips = "{language}", True, True
from bpy.app.translations import pgettext_iface, pgettext_tip
print("SAID", [pgettext_iface("Make Dynamic", "Operator"), pgettext_iface("Damping Factor"),
               pgettext_tip("Delete this preset of yours"), pgettext_iface("Still Air", "Operator")])
"""


@pytest.mark.parametrize("language", ["de_DE", "en_US"])
def test_switching_the_language_shows_it(extension_folder, blender_executable, language, tmp_path):
    """With an executable only: Blender as a Python module has no languages."""
    script = tmp_path / "ask.py"
    script.write_text(_ASK.format(language=language), encoding="utf-8")
    environment = os.environ | {"BLENDER_USER_EXTENSIONS": str(extension_folder), "PYTHONIOENCODING": "utf-8"}
    command = [blender_executable, "--background", "--factory-startup", "--python-exit-code", "1", "--python", script]
    output = subprocess.run(command, env=environment, check=True, capture_output=True, encoding="utf-8").stdout
    texts = ["Make Dynamic", "Damping Factor", "Delete this preset of yours", "Still Air"]
    expected = [GERMAN[text] for text in texts] if language == "de_DE" else texts
    assert f"SAID {expected}" in output


def test_all_plants_are_german_with_their_sliders(addon):
    labels = importlib.import_module(f"{addon.__name__}.plant_dynamics_addon.grow.labels")
    known = {text for _, text in messages()}
    for preset in importlib.import_module(f"{addon.__name__}.lsystem").presets():
        sliders = [labels.words_for(one.name, one.description) for one in preset.sliders if not one.is_computed]
        assert sliders
        for text in (preset.title, preset.description, *sliders):
            assert text in known, (preset.name, text)
            assert text in GERMAN, (preset.name, text)


def test_units_behind_a_label_stay(addon):
    said = importlib.import_module(f"{addon.__name__}.plant_dynamics_addon.grow.labels").said
    assert said("Radius of twigs (m)", GERMAN.__getitem__) == "Radius der Zweige (m)"
    assert said("Years", GERMAN.__getitem__) == "Jahre"
