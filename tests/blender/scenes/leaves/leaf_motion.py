# SPDX-License-Identifier: GPL-3.0-or-later
"""How leaves of a grown plant move in gusts, against the twigs that they sit on."""

import importlib
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np

RATE = 24
#: Share of a motion that is left out, while it begins.
_BEGINS = 6


@dataclass(frozen=True)
class LeafMotion:
    """Medians over the leaves; ranges hold nine tenths of the time."""

    bend: float
    """degrees: range of how far the leaf is bent to its flat side."""
    twist: float
    """degrees: range of its twist."""
    quick: float
    """Share of the bend's variance from 1.5 Hz on."""
    several: float
    """The same from 3 Hz on."""
    leaf: float
    """m: deviation of the leaf's tip from its mean place, seen from the twig."""
    twig: float
    """m: deviation of the leaf's base from its mean place."""
    frame: float
    """degrees: turn against the twig from frame to frame."""


def in_wind(addon: ModuleType, obj: Any, speed: float, seconds: float = 6.0) -> LeafMotion:
    """Of a plant that is played in gusts of so many m/s."""
    import bpy

    live = importlib.import_module(f"{addon.__name__}.plant_dynamics_addon.dynamics.live.live")
    scene, bones = bpy.context.scene, obj.data.bones
    wind = scene.plant_dynamics.wind
    wind.use_air, wind.source, wind.speed = True, "GUSTS", speed
    scene.render.fps, scene.render.fps_base = RATE, 1.0
    frames = round(seconds * RATE)
    scene.frame_start, scene.frame_end = 1, frames
    live.go_live(obj)
    shown = np.empty((frames, len(bones), 4, 4))
    for frame in range(frames):
        scene.frame_set(frame + 1)
        pose = obj.evaluated_get(bpy.context.evaluated_depsgraph_get()).pose.bones
        flat = np.empty(len(bones) * 16, dtype=np.float32)
        pose.foreach_get("matrix", flat)
        shown[frame] = flat.reshape(-1, 4, 4).transpose(0, 2, 1)
    live.stop_live(obj)
    return _measured(bones, shown[frames // _BEGINS :])


def _measured(bones: Any, shown: np.ndarray) -> LeafMotion:
    organs = [bone.plant_dynamics.organ for bone in bones]
    place = {bone.name: i for i, bone in enumerate(bones)}
    tips = [
        i for i, bone in enumerate(bones)
        if organs[i] == "leaf" and "leaf" not in (organs[place[child.name]] for child in bone.children)
    ]  # fmt: skip
    base, twig = [], []
    for i in tips:
        bone = bones[i]
        while bone.parent is not None and organs[place[bone.parent.name]] == "leaf":
            bone = bone.parent
        base.append(place[bone.name])
        while bone.parent is not None and organs[place[bone.name]] in ("leaf", "petiole"):
            bone = bone.parent
        twig.append(place[bone.name])
    drawn = np.array([bone.matrix_local for bone in bones])
    rest = drawn[twig, :3, :3].transpose(0, 2, 1) @ drawn[tips, :3, :3]
    turned = shown[:, twig, :3, :3].transpose(0, 1, 3, 2) @ shown[:, tips, :3, :3]
    off = rest.transpose(0, 2, 1) @ turned
    bend = np.degrees(np.arcsin(np.clip(off[:, :, 2, 1], -1.0, 1.0)))
    w = 0.5 * np.sqrt(np.maximum(0.0, 1.0 + np.einsum("fnii->fn", off)))
    y = (off[:, :, 0, 2] - off[:, :, 2, 0]) / (4.0 * np.maximum(w, 1e-9))
    twist = np.degrees(2.0 * np.arctan2(y, w))
    step = np.einsum("fnji,fnji->fn", off[:-1], off[1:])
    lengths = np.array([bones[i].length for i in tips])
    head, along = shown[:, :, :3, 3], shown[:, :, :3, 1]
    tip = head[:, tips] + lengths[:, None] * along[:, tips]
    seen = np.einsum("fnji,fnj->fni", shown[:, twig, :3, :3], tip - head[:, twig])
    return LeafMotion(
        _range(bend), _range(twist), _quick(bend, 1.5), _quick(bend, 3.0), _deviation(seen),
        _deviation(head[:, base]),
        float(np.median(np.degrees(np.arccos(np.clip(0.5 * (step - 1.0), -1.0, 1.0))).mean(axis=0))),
    )  # fmt: skip


def _range(angles: np.ndarray) -> float:
    low, high = np.percentile(angles, (5.0, 95.0), axis=0)
    return float(np.median(high - low))


def _deviation(places: np.ndarray) -> float:
    return float(np.median(np.sqrt(places.var(axis=0).sum(axis=1))))


def _quick(angles: np.ndarray, from_hertz: float) -> float:
    windowed = (angles - angles.mean(axis=0)) * np.hanning(len(angles))[:, None]
    power = (np.abs(np.fft.rfft(windowed, axis=0)) ** 2).sum(axis=1)
    frequency = np.fft.rfftfreq(len(angles), 1.0 / RATE)
    return float(power[frequency >= from_hertz].sum() / power[1:].sum())
