# SPDX-License-Identifier: GPL-3.0-or-later
"""From the kernels' Python to LLVM's intermediate representation, for no processor in particular, by numba's front end.

Every kernel gets a C interface (see call.py). Runs in a process of its own, in which the decorators of jit.py hand
functions to numba; only developers' tools and the fallback of in_place.py start one.
"""

import gc
import importlib
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
from llvmlite import ir
from numba import from_dtype, types
from numba.core.codegen import CPUCodeLibrary, JITCodeLibrary, JITCPUCodegen
from numba.extending import intrinsic
from numba.np import arrayobj

from . import jit
from .assemble import HEAVIEST, PREFIX, simplified
from .call import (
    DATA,
    DIMENSIONS,
    DONE,
    DTYPE,
    DTYPES,
    FAILED,
    FLAGS,
    MISFIT,
    SHAPE,
    USABLE,
    ArrayKind,
    Signature,
    fields_of,
)
from .sources import sources


def intermediate(heaviest: bool) -> str:
    """The intermediate representation of the heaviest kernel or of all others; in a process that was started for this
    (see in_place.py)."""
    solver = Path(__file__).resolve().parent.parent
    for source in sources():
        if source != Path(__file__).resolve():
            place = source.relative_to(solver).with_suffix("").parts
            importlib.import_module("." + ".".join(place), __package__.removesuffix(".machine"))
    return translated({name: one for name, one in jit.KERNELS.items() if (name == HEAVIEST) == heaviest})


def translated(kernels: Mapping[str, Any]) -> str:
    """The intermediate representation of kernels by name."""
    _only_translate()
    whole: Any = None
    wrappers = []
    for name, dispatcher in sorted(kernels.items()):
        symbol, text = _entry(dispatcher)
        module = llvm.parse_assembly(text)
        if whole is None:
            whole = module
        else:
            whole.link_in(module)
        wrappers.append(_wrapper(name, symbol))
    declared = [f"declare double @llvm.{name}.f64(double)" for name in ("sqrt", "floor", "ceil")]
    text = "\n".join([_without(str(whole), _ELSEWHERE), *declared, *wrappers])
    return _without(simplified(text), _HEADER)


def _without(text: str, patterns: Mapping[str, str]) -> str:
    """The text with every match of a pattern replaced by what stands beside it."""
    for pattern, instead in patterns.items():
        text = re.sub(pattern, instead, text, flags=re.MULTILINE)
    return text


def _only_translate() -> None:
    """Keep numba from optimising what it has translated, and from making machine code and Python functions of it: that
    is done once for all functions together. Only what it writes down of every array that is passed on is taken away at
    once, which is nearly all of it."""
    llvm.initialize_all_targets()
    machine = llvm.Target.from_default_triple().create_target_machine()

    def simplify(_: Any, module: Any) -> None:
        builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=1))
        passes = llvm.create_new_function_pass_manager()
        passes.add_sroa_pass()
        passes.add_simplify_cfg_pass()
        passes.add_instruction_combine_pass()
        for function in module.functions:
            if not function.is_declaration:
                passes.run(function, builder)

    for library, name, instead in (
        (CPUCodeLibrary, "_optimize_functions", simplify), (CPUCodeLibrary, "_optimize_final_module", lambda *_: None),
        (JITCodeLibrary, "_finalize_specific", lambda *_: None),
        (JITCodeLibrary, "get_pointer_to_function", lambda library, _: library._ensure_finalized() or 0),
        (JITCPUCodegen, "set_env", lambda *_: None),
    ):  # fmt: skip
        setattr(library, name, instead)


#: Square roots and whole parts are instructions.
_ELSEWHERE = {
    r"@(sqrt|floor|ceil)\(": r"@llvm.\1.f64(",
    r"^(declare double @llvm\.(?:sqrt|floor|ceil)\.f64\(double\)).*$": "",
}

#: What a module says of where it is from, and for which processor.
_HEADER = {r"^(?:target (?:triple|datalayout) = |; ModuleID = |source_filename = ).*$": ""}


def _entry(dispatcher: Any) -> tuple[str, str]:
    """Symbol and text of a function of two blocks of words that calls the kernel."""

    fits, arguments = _readers(Signature(dispatcher.py_func))
    keep = _keeper()

    def entry(words: Any, out: Any) -> int:
        if not fits(words):
            return MISFIT
        keep(out, dispatcher(*arguments(words)))
        return DONE

    compiled: Any = jit.subroutine(entry)
    compiled.compile(types.int64(types.CPointer(types.int64), types.CPointer(types.float64)))
    (made,) = compiled.overloads.values()
    return made.fndesc.llvm_func_name, made.library.get_llvm_str()


def _readers(signature: Any) -> tuple[Any, Any]:
    """Functions of kernels that tell whether the arrays in a block of words are of the right kinds, and that make a
    tuple of a kernel's arguments of it."""

    def type_of(hint: Any) -> Any:
        if hint in (int, float, bool):
            return {int: types.int64, float: types.float64, bool: types.boolean}[hint]
        if (kind := ArrayKind.of(hint)) is not None:
            return types.Array(from_dtype(kind.dtype), kind.dimensions, "C")
        return types.NamedTuple([type_of(field) for field in fields_of(hint).values()], hint)

    whole = types.Tuple([type_of(hint) for _, hint in signature.hints])

    @intrinsic
    def fits(typing_context: Any, words: Any) -> Any:
        def generate(context: Any, builder: Any, _: Any, given: Any) -> Any:
            block = _Block(context, builder, given[0])
            for kind in whole:
                block.value(kind)
            return block.fits

        return types.boolean(words), generate

    @intrinsic
    def arguments(typing_context: Any, words: Any) -> Any:
        def generate(context: Any, builder: Any, _: Any, given: Any) -> Any:
            block = _Block(context, builder, given[0])
            return context.make_tuple(builder, whole, [block.value(kind) for kind in whole])

        return whole(words), generate

    return fits, arguments


class _Block:
    """Reads values of numba's types one after the other from a block of words, by code that it generates.

    fits: a truth value of that code, whether the arrays so far are of their kinds
    """

    def __init__(self, context: Any, builder: Any, words: Any):

        self._context, self._builder, self._words, self._next = context, builder, words, 0
        self._dtypes = {from_dtype(dtype): self._word() for dtype in DTYPES}
        self.fits: Any = ir.Constant(ir.IntType(1), 1)

    def _word(self) -> Any:

        place = ir.Constant(ir.IntType(64), self._next)
        self._next += 1
        return self._builder.load(self._builder.gep(self._words, [place]))

    def value(self, kind: Any) -> Any:

        if isinstance(kind, types.Array):
            return self._array(kind)
        if isinstance(kind, types.BaseTuple):
            return self._context.make_tuple(self._builder, kind, [self.value(one) for one in kind])
        word = self._word()
        if kind == types.float64:
            return self._builder.bitcast(word, ir.DoubleType())
        return self._builder.icmp_signed("!=", word, word.type(0)) if kind == types.boolean else word

    def _at(self, address: Any, offset: int, bits: int = 64) -> Any:
        """The whole number so many bytes behind an address."""

        builder = self._builder
        place = builder.add(address, address.type(offset))
        return builder.load(builder.inttoptr(place, ir.IntType(bits).as_pointer()))

    def _array(self, kind: Any) -> Any:

        context, builder, address = self._context, self._builder, self._word()
        size = context.get_constant(types.intp, context.get_abi_sizeof(context.get_data_type(kind.dtype)))
        usable = ir.IntType(32)(USABLE)
        for found, wanted in (
            (self._at(address, DTYPE), self._dtypes[kind.dtype]),
            (self._at(address, DIMENSIONS, 32), ir.IntType(32)(kind.ndim)),
            (builder.and_(self._at(address, FLAGS, 32), usable), usable),
        ):
            self.fits = builder.and_(self.fits, builder.icmp_signed("==", found, wanted))
        array = arrayobj.make_array(kind)(context, builder)
        sizes = self._at(address, SHAPE)
        shape = [self._at(sizes, 8 * k) for k in range(kind.ndim)]
        strides = [size]
        for length in reversed(shape[1:]):
            strides.insert(0, builder.mul(strides[0], length))
        arrayobj.populate_array(
            array, data=builder.inttoptr(self._at(address, DATA), array.data.type), shape=shape, strides=strides,
            itemsize=size, meminfo=ir.Constant(context.get_value_type(types.voidptr), None),
        )  # fmt: skip
        return array._getvalue()


def _keeper() -> Any:
    """A function of kernels that writes numbers, or a tuple of them, to a block of real numbers."""

    @intrinsic
    def keep(typing_context: Any, out: Any, result: Any) -> Any:
        kinds = () if result == types.none else tuple(result) if isinstance(result, types.BaseTuple) else (result,)

        def generate(context: Any, builder: Any, _: Any, given: Any) -> Any:
            block, value = given
            for k, kind in enumerate(kinds):
                one = builder.extract_value(value, k) if isinstance(result, types.BaseTuple) else value
                place = builder.gep(block, [ir.Constant(ir.IntType(64), k)])
                builder.store(context.cast(builder, one, kind, types.float64), place)
            return context.get_dummy_value()

        return types.none(out, result), generate

    return keep


def _wrapper(name: str, symbol: str) -> str:
    """A C function that calls numba's: `int plant_dynamics_NAME(const void *words, double *out)`."""
    return f"""
define i32 @{PREFIX}{name}(ptr %words, ptr %out) {{
  %result = alloca i64
  %error = alloca ptr
  %raised = call i32 @{symbol}(ptr %result, ptr %error, ptr %words, ptr %out)
  %returns = icmp eq i32 %raised, 0
  br i1 %returns, label %returned, label %failed
returned:
  %found = load i64, ptr %result
  %status = trunc i64 %found to i32
  ret i32 %status
failed:
  ret i32 {FAILED}
}}
"""


def main(out: str, heaviest: bool) -> None:
    """Write the intermediate representation of this package's heaviest kernel or of all others."""
    gc.disable()  # a third of the time goes there, to search for what is needed to the end
    Path(out).write_text(intermediate(heaviest), encoding="utf-8")
