# SPDX-License-Identifier: GPL-3.0-or-later
"""One plant's cached frames as a file: a .npz of plain arrays, never of pickled objects.

A file may be foreign, cut off or made up, so it is checked before anything of it is used.
"""

import os
import struct
import zipfile
import zlib
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ....solver import Equilibrium, Report, Simulation, SolverError, snapshot_arrays, snapshot_from_arrays
from ...errors import PlantError
from ..rig.broken_bones import HANGS, OFF, WHOLE, BrokenBones
from ..rig.keyed.led_bones import LedBones
from .cached_frames import CachedFrames, Frame
from .contact_arrays import ContactArrays, are_whole, contact_arrays, contacts_of_frames

_FORMAT = "Plant Dynamics cache 11"

_NO_REPORT = Report(-1, 0, 0, 0)
_NUMBERS = len(Equilibrium._fields)

#: Kind and shape of the arrays; equal words are equal sizes.
_SHAPES: dict[str, tuple[str, tuple[str | int, ...]]] = {
    "plant": ("U", ()), "blend": ("U", ()), "key": ("U", ()), "sure": ("i", ()), "names": ("U", ("bones",)),
    "first_frame": ("i", ()), "channels": ("f", ("frames", "bones", 4)), "worlds": ("u", ("frames", 16)),
    "reports": ("i", ("frames", len(_NO_REPORT))), "equilibrium": ("f", ("start",)), "first_mode": ("f", ("mode",)),
    "contact_counts": ("i", ("frames",)), "contact_which": ("i", ("contacts", 2)),
    "contact_numbers": ("f", ("contacts", 10)), "pushes": ("f", ("frames", "pushed")),
    "broken": ("i", ("broken", "bones")), "locations": ("f", ("broken", "bones", 3)),
    "led_bones": ("i", ("led",)), "led_moves": ("b", ("led",)), "led_scales": ("b", ("led",)),
    "led_places": ("f", ("led_frames", "led", 6)),
    "thing_names": ("U", ("things",)), "things": ("f", ("frames", "things", 7)),
}  # fmt: skip

#: The state to go on from is kept of every so many frames, and the last that is known: it takes far more room than a
#: pose. From the one before, the others are simulated again.
SAVED_EVERY = 32


@dataclass(frozen=True)
class CacheFile:
    """What a file holds.

    blend: digest of the .blend that it was saved with, of that one's libraries and of the code; key: of all that the
    motion depends on but its worlds; sure: so many of its frames fitted that .blend; names: the n simulated bones
    first_frame: number of the first
    channels (f, n, 4): pose rotations; worlds (f, 16): digests; reports (f, 6), negative where there is none
    equilibrium (6,) or (0,); first_mode (1,) Hz or (0,); contact_*: as of ContactArrays; broken (b, n) and locations
    (b, n, 3): of the last b frames, what is broken, which stays so; led_bones, led_moves, led_scales (k,): what
    constraints move and stretch, led_places (f, k, 6) or (0, 0, 6): to which locations and scales; pushes (f, m) N or
    (f, 0): on all bones; thing_names: full names of the t objects that the plant moves, things (f, t, 7): their
    locations and rotations;
    states: arrays of snapshots by index and name
    """

    plant: str
    blend: str
    key: str
    sure: int
    names: tuple[str, ...]
    first_frame: int
    channels: np.ndarray
    worlds: np.ndarray
    reports: np.ndarray
    equilibrium: np.ndarray
    first_mode: np.ndarray
    contact_counts: np.ndarray
    contact_which: np.ndarray
    contact_numbers: np.ndarray
    broken: np.ndarray
    locations: np.ndarray
    led_bones: np.ndarray
    led_moves: np.ndarray
    led_scales: np.ndarray
    led_places: np.ndarray
    thing_names: tuple[str, ...]
    pushes: np.ndarray
    things: np.ndarray
    states: dict[int, dict[str, np.ndarray]] = field(default_factory=dict)

    @property
    def last_frame(self) -> int:
        """Number of the last frame."""
        return self.first_frame + len(self.channels) - 1

    def contacts(self) -> ContactArrays:
        """What was touched."""
        return ContactArrays(self.contact_counts, self.contact_which, self.contact_numbers)

    def start(self) -> Equilibrium | None:
        """How settling went, if there was any."""
        if not len(self.equilibrium):
            return None
        residual, iterations, stable, fell, turn, rod, sways = self.equilibrium.tolist()
        return Equilibrium(residual, int(iterations), bool(stable), bool(fell), turn, int(rod), bool(sways))

    def broken_at(self, index: int) -> BrokenBones | None:
        """What is broken in the frame at an index, if anything is."""
        row = index - len(self.channels) + len(self.broken)
        return BrokenBones(self.broken[row], self.locations[row]) if row >= 0 else None

    def led_at(self, index: int) -> LedBones | None:
        """What constraints move or stretch in the frame at an index, if they do."""
        if not len(self.led_places):
            return None
        place = self.led_places[index]
        return LedBones(self.led_bones, self.led_moves, self.led_scales, place[:, :3], place[:, 3:])


def as_file(
    frames: CachedFrames, *, plant: str, blend: str, key: str, sure: int, names: tuple[str, ...], first_frame: int,
    thing_names: tuple[str, ...],
) -> CacheFile:  # fmt: skip
    """The frames as they go into a file. Raises PlantError for worlds that cannot be known again after loading."""
    worlds = [frame.digest() for frame in frames.frames]
    if None in worlds:
        raise PlantError(
            "'{plant}' stands in a script's wind, which may be another after loading: not cached on disk",
            plant=plant,
        )
    kept = {i: frame.snapshot for i, frame in enumerate(frames.frames) if frame.snapshot is not None}
    last = max(kept, default=0)
    broken = [frame.broken for frame in frames.frames if frame.broken is not None]
    states = {i: snapshot_arrays(kept[i]) for i in kept if i % SAVED_EVERY == 0 or i == last}
    start = frames.equilibrium
    return CacheFile(
        plant, blend, key, sure, names, first_frame,
        channels=np.stack([frame.channels for frame in frames.frames]),
        worlds=np.array([np.frombuffer(world, dtype=np.uint8) for world in worlds if world is not None]),
        reports=np.array([frame.report or _NO_REPORT for frame in frames.frames], dtype=np.int64),
        equilibrium=np.array(() if start is None else start, dtype=np.float64),
        first_mode=np.array(() if frames.first_mode is None else (frames.first_mode,), dtype=np.float64),
        broken=np.array([one.state for one in broken], dtype=np.int64).reshape(-1, len(names)),
        locations=np.array([one.location for one in broken], dtype=np.float64).reshape(-1, len(names), 3),
        **_led_arrays([frame.led for frame in frames.frames]),
        thing_names=thing_names,
        things=np.stack([frame.things for frame in frames.frames]),
        pushes=_filled([frame.pushes for frame in frames.frames]),
        states=states,
        **contact_arrays([frame.contacts for frame in frames.frames])._asdict(),
    )  # fmt: skip


def _led_arrays(led: list[LedBones | None]) -> dict[str, np.ndarray]:
    """What is led in all frames or in none, as of CacheFile."""
    known = [one for one in led if one is not None]
    if not known:
        empty = np.zeros(0, dtype=bool)
        return {"led_bones": np.zeros(0, dtype=np.int64), "led_moves": empty, "led_scales": empty,
                "led_places": np.zeros((0, 0, 6))}  # fmt: skip
    places = np.stack([np.concatenate([one.location, one.scale], axis=1) for one in known])
    return {"led_bones": known[0].bone, "led_moves": known[0].moves, "led_scales": known[0].scales,
            "led_places": places}  # fmt: skip


def _filled(rows: list[np.ndarray]) -> np.ndarray:
    """(frames, m) of rows of m numbers or none, which are zeros where others have some."""
    filled = np.zeros((len(rows), max(map(len, rows))))
    for i, row in enumerate(rows):
        filled[i, : len(row)] = row
    return filled


def as_cached_frames(file: CacheFile, simulation: Simulation) -> CachedFrames:
    """What a file holds for this simulation to go on from. Raises PlantError if its states, or what it touched, are not
    of this plant."""
    rods = len(simulation.model.first_joint)
    try:
        states = {index: snapshot_from_arrays(simulation, arrays) for index, arrays in file.states.items()}
        contacts = contacts_of_frames(file.contacts(), rods)
    except (SolverError, PlantError) as error:
        reason = error.message if isinstance(error, SolverError) else str(error)
        raise PlantError("Cache of '{plant}': {reason}. Simulated as usual", plant=file.plant, reason=reason) from error
    rows = zip(file.worlds, file.channels, file.reports, contacts, strict=True)
    frames = [
        Frame(world.tobytes(), channels, _report_of(report), states.get(i), touched,
              file.broken_at(i), file.led_at(i), file.things[i], file.pushes[i])
        for i, (world, channels, report, touched) in enumerate(rows)
    ]
    return CachedFrames(frames, file.start(), float(file.first_mode[0]) if len(file.first_mode) else None)


def _report_of(row: np.ndarray) -> Report | None:
    *numbers, crowded = row.tolist()
    return Report(*numbers, crowded=bool(crowded)) if numbers[0] >= 0 else None


def write(path: Path, file: CacheFile) -> None:
    """Write the file, in one go: what was there before stays until all is written. Raises PlantError."""
    texts = {name: np.str_ for name, (kind, _) in _SHAPES.items() if kind == "U"}  # of none, NumPy does not know that
    arrays = {name: np.array(getattr(file, name), dtype=texts.get(name)) for name in _SHAPES}
    for index, state in file.states.items():
        arrays |= {f"{index}/{name}": array for name, array in state.items()}
    unfinished = path.with_suffix(".unfinished")
    try:
        path.parent.mkdir(exist_ok=True)
        with open(unfinished, "wb") as stream:
            np.savez(stream, format=np.array(_FORMAT), **arrays)
        os.replace(unfinished, path)
    except OSError as error:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)
        raise PlantError(
            "The cache '{path}' cannot be written: {reason}",
            path=path.name, reason=error.strerror,
        ) from error


def read(path: Path) -> CacheFile:
    """What the file holds. Raises PlantError for one that is foreign, cut off or not as it was written."""
    try:
        return _checked(_arrays(path))
    except (OSError, EOFError, KeyError, ValueError, MemoryError, NotImplementedError, RuntimeError,
            zipfile.BadZipFile, zlib.error, struct.error) as error:  # fmt: skip
        raise PlantError(
            "The cache '{path}' cannot be read ({error}). Simulated as usual",
            path=path.name, error=error,
        ) from error


def _arrays(path: Path) -> dict[str, np.ndarray]:
    with zipfile.ZipFile(path) as archive:
        stored = archive.infolist()
    # Nothing is unpacked to more than there is on the disk, whatever the file says of itself.
    if any(one.compress_type != zipfile.ZIP_STORED for one in stored):
        raise ValueError("packed")
    if sum(one.file_size for one in stored) > path.stat().st_size:
        raise ValueError("sizes that cannot be")
    with np.load(path, allow_pickle=False) as archive:
        return {name: archive[name] for name in archive.files}


def _checked(arrays: dict[str, np.ndarray]) -> CacheFile:
    if str(arrays.pop("format", "")) != _FORMAT:
        raise ValueError("not one of this add-on's, or of another version")
    values: dict[str, Any] = {}
    sizes: dict[str, int] = {}
    for name, (kind, shape) in _SHAPES.items():
        array = values[name] = arrays.pop(name)
        if array.dtype.kind != kind or array.ndim != len(shape):
            raise ValueError(f"{name} is of another kind")
        for size, wanted in zip(array.shape, shape, strict=True):
            if size != (sizes.setdefault(wanted, size) if isinstance(wanted, str) else wanted):
                raise ValueError(f"{name} has another size")
        if kind == "f" and not np.isfinite(array).all():
            raise ValueError(f"{name} is not finite")
    frames = sizes["frames"]
    if frames < 1 or not 0 <= values["sure"] <= frames:
        raise ValueError("no frames")
    if sizes["start"] not in (0, _NUMBERS) or sizes["mode"] not in (0, 1):
        raise ValueError("another start")
    if sizes["pushed"] and len(values["pushes"]) and values["pushes"].min() < 0.0:
        raise ValueError("pushes that pull")
    if not are_whole(ContactArrays(*(values[name] for name in ContactArrays._fields))):
        raise ValueError("contacts that do not add up")
    if sizes["broken"] > frames or not np.isin(values["broken"], (WHOLE, HANGS, OFF)).all():
        raise ValueError("broken in another way")
    if sizes["led_frames"] not in (0, frames) or not np.isin(values["led_bones"], range(sizes["bones"])).all():
        raise ValueError("led in another way")
    states: dict[int, dict[str, np.ndarray]] = {}
    for name, array in arrays.items():
        index, _, of = name.partition("/")
        if not index.isdecimal() or int(index) >= frames:
            raise ValueError(f"'{name}' is not part of a cache")
        states.setdefault(int(index), {})[of] = array
    plain = {name: values[name].item() for name in ("plant", "blend", "key", "sure", "first_frame")}
    return CacheFile(**values | plain | {
        name: tuple(values[name].tolist()) for name in ("names", "thing_names")
    }, states=states)
