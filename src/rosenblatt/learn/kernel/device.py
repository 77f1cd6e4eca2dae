"""The GPU: whether there is one, and passes of the kernel perceptron on it. Nobody else imports CuPy.

A pass is one launch. Every thread owns some rows: after an update it adds the kernel of its rows with the row updated
on to their scores, looks whether they must be updated on, and tells the earliest of them in the order of the pass. A
barrier of all blocks, and the next update begins. Values are made as on the CPU, by the same products and sums in the
same order and none of them fused, so that both make the same list.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from rosenblatt.data.memory import show_size
from rosenblatt.errors import DataError, SettingError
from rosenblatt.learn.kernel.grid import Facts
from rosenblatt.loops.exponential import LN2_HIGH, LN2_LOW, LOG2_E, LOWEST
from rosenblatt.loops.kernels import RBF, Kernel
from rosenblatt.loops.ties import Bounds

if TYPE_CHECKING:
    from rosenblatt.loops.rows import Rows

THREADS, BLOCKS_EACH = 256, 2  # in a block, and blocks for each multiprocessor: all of them run at the same time
NONE = 2**63 - 1

SOURCE = r"""
typedef unsigned long long u64;

__device__ double exponential(double x) {
    double n = floor(fmax(x, @LOWEST@) * @LOG2_E@ + 0.5);
    double r = (x - n * @LN2_HIGH@) - n * @LN2_LOW@;
    double total = @C13@;
    @HORNER@
    double scale = __longlong_as_double(((long long) n + 1023LL) << 52);
    return x >= @LOWEST@ ? total * scale : 0.0;
}

__device__ double value_of(int kind, int degree, double gamma, double coef0, double a, double b, double product) {
    if (kind == 1) {
        double distance = (a + b) - 2.0 * product;
        return exponential(-(gamma * fmax(distance, 0.0))) + coef0;
    }
    double base;
    if (kind == 0) base = gamma * product + coef0;
    else { double lengths = a * b; base = lengths > 0 ? product / sqrt(lengths) : 0.0; }
    double value = base;
    for (int k = 1; k < degree; k++) value *= base;
    return kind == 2 ? value + coef0 : value;
}

// Bits of a row that must be updated on: its position, its rival, and whether it is wrong. The earliest is the least.
__device__ u64 look(const double* F, long long n, long long row, int lines, int truth, int position,
                    double earlier, double later, int last) {
    double lead;
    int rival;
    if (lines == 1) {
        double s = F[row];
        lead = truth == 1 ? s : -s;
        rival = 1 - truth;
    } else {
        rival = truth == 0 ? 1 : 0;
        double best = F[rival * n + row];
        for (int c = rival + 1; c < lines; c++) {
            if (c == truth) continue;
            double s = F[c * n + row];
            if (s > best || (last && s == best)) { best = s; rival = c; }
        }
        lead = F[truth * n + row] - best;
    }
    if (lead > (truth > rival ? later : earlier)) return @NONE@ULL;
    return ((u64) position << 24) | ((u64) rival << 1) | (u64) (lead <= 0);
}

__device__ void barrier(unsigned* arrived, unsigned goal) {
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(arrived, 1u);
        while (*(volatile unsigned*) arrived < goal) { }
        __threadfence();
    }
    __syncthreads();
}

extern "C" __global__ void one_pass(
    const @WORD@* by_column, const @WORD@* by_row, const double* squares, const int* truth, const double* amounts,
    const int* order, const int* positions, double* F, u64* next, unsigned* arrived, u64* noted, long long* count,
    long long n, int words, int lines, int kind, int degree, double gamma, double coef0,
    double earlier, double later, int last, int shared_words) {
    extern __shared__ @WORD@ held[];
    __shared__ u64 least;
    long long first = (long long) blockIdx.x * blockDim.x + threadIdx.x, stride = (long long) gridDim.x * blockDim.x;
    unsigned goal = 0;
    long long updates = 0;
    if (threadIdx.x == 0) least = @NONE@ULL;
    __syncthreads();
    for (long long row = first; row < n; row += stride) {
        u64 found = look(F, n, row, lines, truth[row], positions[row], earlier, later, last);
        if (found != @NONE@ULL) atomicMin(&least, found);
    }
    __syncthreads();
    if (threadIdx.x == 0 && least != @NONE@ULL) atomicMin(&next[0], least);
    goal += gridDim.x;
    barrier(arrived, goal);
    while (true) {
        u64 found = *(volatile u64*) &next[updates % 3];
        if (found == @NONE@ULL) break;
        int position = (int) (found >> 24), rival = (int) ((found >> 1) & 0x7FFFFF);
        long long u = order[position];
        int own = truth[u];
        if (first == 0) { noted[updates] = found; next[(updates + 2) % 3] = @NONE@ULL; }
        if (threadIdx.x == 0) least = @NONE@ULL;
        const @WORD@* x = by_row + u * words;
        if (shared_words) {
            for (int w = threadIdx.x; w < words; w += blockDim.x) held[w] = x[w];
            x = held;
        }
        __syncthreads();
        double square = squares[u], amount = amounts[u];
        double signed_amount = own == 1 ? amount : -amount;
        for (long long row = first; row < n; row += stride) {
            @SUM@
            double value = value_of(kind, degree, gamma, coef0, square, squares[row], product);
            if (lines == 1) F[row] += signed_amount * value;
            else {
                double part = amount * value;
                F[own * n + row] += part;
                F[rival * n + row] -= part;
            }
            if (positions[row] > position) {
                u64 seen = look(F, n, row, lines, truth[row], positions[row], earlier, later, last);
                if (seen != @NONE@ULL) atomicMin(&least, seen);
            }
        }
        __syncthreads();
        updates++;
        if (threadIdx.x == 0 && least != @NONE@ULL) atomicMin(&next[updates % 3], least);
        goal += gridDim.x;
        barrier(arrived, goal);
    }
    if (first == 0) *count = updates;
}
"""
# Unrolled, because a thread waits for each word of its row: so many are under way at a time.
SUMS = {
    "unsigned": """unsigned sum = 0;
            const unsigned* z = by_column + row;
            #pragma unroll 28
            for (int w = 0; w < words; w++) sum = __dp4a(x[w], z[(long long) w * n], sum);
            double product = (double) sum;""",
    "double": """double product = 0.0;
            const double* z = by_column + row;
            #pragma unroll 16
            for (int w = 0; w < words; w++) product += x[w] * z[(long long) w * n];""",
}


def chosen_device(device: str, facts: Facts, kernel: Kernel) -> str:
    """ "cpu" or "gpu": what was asked for, and for "auto" the GPU where the list is sure to be the CPU's to the bit."""
    if device == "auto":
        equal = facts.exact and kernel.kind != RBF
        return "gpu" if equal and why_no_gpu() is None else "cpu"
    if device == "gpu":
        why = why_no_gpu()
        if why is not None:
            raise SettingError(
                f"device='gpu' needs an NVIDIA GPU and CuPy, and {why}. Install rosenblatt[gpu13] or [gpu12], or "
                "use device='cpu'."
            )
    return device


@cache
def why_no_gpu() -> str | None:
    """Why there is no GPU to be used; None where there is one."""
    try:
        import cupy
    except Exception as error:  # a broken installation raises whatever it likes
        return "CuPy is not installed" if isinstance(error, ImportError) else f"CuPy cannot be loaded ({error})"
    try:
        return None if cupy.cuda.runtime.getDeviceCount() else "there is no GPU"
    except Exception as error:
        return f"there is no GPU ({' '.join(str(error).split())[:80]})"


@cache
def _compiled(word: str) -> Any:
    import cupy

    places = {"LOWEST": LOWEST, "LOG2_E": LOG2_E, "LN2_HIGH": LN2_HIGH, "LN2_LOW": LN2_LOW}
    source = SOURCE.replace("@HORNER@", "\n    ".join(f"total = total * r + @C{k}@;" for k in range(12, -1, -1)))
    for name, value in {**places, **{f"C{k}": 1.0 / math.factorial(k) for k in range(14)}}.items():
        source = source.replace(f"@{name}@", f"({value!r})")
    source = source.replace("@NONE@", str(NONE)).replace("@WORD@", word).replace("@SUM@", SUMS[word])
    return cupy.RawKernel(source, "one_pass", options=("--fmad=false",), enable_cooperative_groups=True)


class OnDevice:
    """The rows of a problem, in some order, and their scores, on the GPU."""

    def __init__(
        self, rows: Rows, names: np.ndarray, facts: Facts, squares: np.ndarray, truth: np.ndarray, amounts: np.ndarray
    ) -> None:
        import cupy

        self.cupy, self.size = cupy, len(names)
        with telling():
            self._take(rows, names, facts, squares, truth, amounts)

    def _take(self, rows: Rows, names: np.ndarray, facts: Facts, squares: Any, truth: Any, amounts: Any) -> None:
        cupy = self.cupy
        values = dense_values(rows)
        order = cupy.asarray(names.astype(np.int64))
        if facts.whole and facts.lowest >= 0 and facts.highest <= 255 and facts.longest < 2.0**31:
            self.word, width = "unsigned", values.shape[1]
            laid = cupy.zeros((self.size, -(-width // 4) * 4), cupy.uint8)
            laid[:, :width] = cupy.asarray(np.ascontiguousarray(values, np.uint8))[order]
            self.by_row = laid.view(cupy.uint32)
        else:
            self.word = "double"
            self.by_row = cupy.ascontiguousarray(cupy.asarray(values)[order].astype(cupy.float64))
        self.by_column = cupy.ascontiguousarray(self.by_row.T)
        self.squares, self.amounts = cupy.asarray(squares), cupy.asarray(amounts)
        self.truth = cupy.asarray(truth.astype(np.int32))

    def set_scores(self, values: np.ndarray) -> None:
        """Scores by class and row, in the order of the rows here."""
        with telling():
            self.scores = self.cupy.asarray(np.ascontiguousarray(values))

    def one_pass(self, order: np.ndarray, kernel: Kernel, bounds: Bounds) -> tuple[np.ndarray, np.ndarray, int]:
        """Positions of the order that were updated on, classes punished, and how many of them were wrong or tied."""
        with telling():
            return self._pass(order, kernel, bounds)

    def _pass(self, order: np.ndarray, kernel: Kernel, bounds: Bounds) -> tuple[np.ndarray, np.ndarray, int]:
        cupy = self.cupy
        laid = cupy.asarray(order.astype(np.int32))
        positions = cupy.empty(self.size, cupy.int32)
        positions[laid] = cupy.arange(self.size, dtype=cupy.int32)
        following = cupy.full(3, NONE, cupy.uint64)
        arrived, count = cupy.zeros(1, cupy.uint32), cupy.zeros(1, cupy.int64)
        noted = cupy.empty(self.size, cupy.uint64)
        words = self.by_row.shape[1]
        room = words * self.by_row.itemsize
        held = room <= 40_000
        blocks = cupy.cuda.Device().attributes["MultiProcessorCount"] * BLOCKS_EACH
        given = (
            self.by_column, self.by_row, self.squares, self.truth, self.amounts, laid, positions, self.scores,
            following, arrived, noted, count, np.int64(self.size), np.int32(words), np.int32(len(self.scores)),
            np.int32(kernel.kind), np.int32(kernel.degree), np.float64(kernel.gamma), np.float64(kernel.coef0),
            np.float64(bounds.earlier), np.float64(bounds.later), np.int32(bounds.last), np.int32(held),
        )  # fmt: skip
        _compiled(self.word)((blocks,), (THREADS,), given, shared_mem=room if held else 0)
        made = int(count[0])
        found = cupy.asnumpy(noted[:made])
        rivals = ((found >> np.uint64(1)) & np.uint64(0x7FFFFF)).astype(np.int32)
        return (found >> np.uint64(24)).astype(np.int64), rivals, int((found & np.uint64(1)).sum())

    def get_scores(self) -> np.ndarray:
        """Scores by class and row."""
        with telling():
            return np.asarray(self.cupy.asnumpy(self.scores))


def dense_values(rows: Rows) -> np.ndarray:
    """The values of rows in any storage as an array of two dimensions."""
    from rosenblatt.data.matrices import csr_of
    from rosenblatt.loops.rows import Dense

    return rows.values if isinstance(rows, Dense) else csr_of(rows).toarray()


@contextmanager
def telling() -> Iterator[None]:
    """Makes one line of whatever goes wrong on the GPU: it may be lost at any call, and CuPy may lack a library."""
    try:
        yield
    except Exception as error:
        of_cupy = any(kind.__module__.startswith("cupy") for kind in type(error).__mro__)
        if not of_cupy and not isinstance(error, RuntimeError | ImportError | OSError):
            raise
        if isinstance(error, MemoryError):
            what = f"the rows and their scores do not fit into the GPU's memory{_room()}. Learn from fewer rows"
        else:
            what = f"the GPU failed ({' '.join(str(error).split())[:120] or type(error).__name__}). Start again"
        raise DataError(f"{what}, or use device='cpu'.") from None


def _room() -> str:
    """How much of the memory is free, where the GPU still tells."""
    try:
        import cupy

        return " ({} of {} free)".format(*map(show_size, cupy.cuda.runtime.memGetInfo()))
    except Exception:
        return ""
