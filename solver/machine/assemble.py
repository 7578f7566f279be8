# SPDX-License-Identifier: GPL-3.0-or-later
"""From the kernels' intermediate representation (see translate.py) to an object file for any processor, by LLVM."""

import re
from collections.abc import Sequence
from typing import NamedTuple

import llvmlite.binding as llvm

#: Prefix of the C functions' names.
PREFIX = "plant_dynamics_"

#: The kernel that takes as long as all others, so that two processes share the work.
HEAVIEST = "advance_plants"


class Target(NamedTuple):
    """triple, cpu and features as LLVM names them; vector_bits: the width of vectors to compute with, 0: its choice."""

    triple: str
    cpu: str
    features: str = ""
    vector_bits: int = 0


def host() -> Target:
    """The processor of the present machine."""
    return Target(
        llvm.get_default_triple(), llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten(),
        vector_bits=512 if llvm.get_host_cpu_features().get("avx512f") else 0,
    )  # fmt: skip


def joined(texts: Sequence[str]) -> str:
    """The modules of several texts as one, in which only C functions are seen from outside."""
    modules = [llvm.parse_assembly(text) for text in texts]
    for module in modules:
        _hide(module)
    for module in modules[1:]:
        modules[0].link_in(module)
    return str(modules[0])


def _hide(module: llvm.ModuleRef) -> None:
    """Let nothing of a module but its C functions be seen from outside."""
    for function in module.functions:
        if not function.is_declaration and not function.name.startswith(PREFIX):
            function.linkage = "internal"
    for variable in module.global_variables:
        if not variable.is_declaration:
            variable.linkage = "internal"


def simplified(text: str) -> str:
    """What no processor has a say in, done once for all of them: functions put into those that call them, and what is
    the same or never used taken out."""
    llvm.initialize_all_targets()
    machine = llvm.Target.from_default_triple().create_target_machine()
    module = llvm.parse_assembly(text)
    module.data_layout = str(machine.target_data)
    _hide(module)
    options = llvm.create_pipeline_tuning_options(speed_level=2)
    options.loop_vectorization = options.slp_vectorization = options.loop_unrolling = False
    _run_passes(module, machine, options)
    for function in module.functions:
        for block in function.blocks:
            block.name = ""  # made of the names of functions that were put in, so long that LLVM mistakes them
    return str(module)


def _run_passes(module: llvm.ModuleRef, machine: llvm.TargetMachine, options: llvm.PipelineTuningOptions) -> None:
    """Let LLVM's pipeline of these options change a module."""
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)


def _entries(module: llvm.ModuleRef, name: str, named: bool) -> list[llvm.ValueRef]:
    """The C functions of a module that have this name, or have another one."""
    entries = [one for one in module.functions if one.name.startswith(PREFIX) and not one.is_declaration]
    return [one for one in entries if (one.name == name) == named]


def assemble(text: str, target: Target, suffix: str = "", heaviest: bool | None = None) -> bytes:
    """Object file of the intermediate representation for a target; suffix: behind the C functions' names; heaviest: of
    the heaviest kernel alone, or of all others."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    machine = llvm.Target.from_triple(target.triple).create_target_machine(
        cpu=target.cpu, features=target.features, opt=3, reloc="pic", codemodel="default"
    )
    if suffix:
        text = re.sub(rf"@({PREFIX}\w+)\(", rf"@\1{suffix}(", text)
    if target.vector_bits:
        width = rf'\1 "prefer-vector-width"="{target.vector_bits}" {{'
        text = re.sub(r"^(define .*) \{$", width, text, flags=re.MULTILINE)
    module = llvm.parse_assembly(text)
    module.triple, module.data_layout = target.triple, str(machine.target_data)
    _hide(module)
    of_others = () if heaviest is None else _entries(module, f"{PREFIX}{HEAVIEST}{suffix}", not heaviest)
    for function in of_others:
        function.linkage = "internal"
    module.verify()
    options = llvm.create_pipeline_tuning_options(speed_level=1)  # the rest was done once for all
    options.loop_vectorization = options.loop_unrolling = True
    options.slp_vectorization = False  # takes as long as all else, and makes no kernel faster
    _run_passes(module, machine, options)
    return bytes(machine.emit_object(module))
