"""Where compiled kernels are kept, and what happens where they cannot be."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from sqlanon.udfs.kernels.runtime.cache import KernelCache

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
RUN_ONE = """
    import numpy as np
    from sqlanon.udfs.kernels import heap
    from sqlanon.udfs.kernels.runtime import cache
    heap.push(np.zeros(4, np.int64), 0, 1)
    print(cache.compiled)
"""
COMPILED, CACHED = "['heap.push']\n", "[]\n"
RELEASE = """
    import sqlanon
    from sqlanon.udfs.kernels.runtime import cache
    con = sqlanon.connect()
    con.execute("SET enable_progress_bar = false")
    con.execute("CREATE TABLE t AS SELECT i AS a, i % 2 AS s FROM range(10) AS r(i)")
    con.execute("FROM kanonymous('t', ['a'], 2, algo := 'hilbert_fast')").fetchall()
    print(len(cache.compiled))
    con.close()
"""
TELLS = ("HOME", "XDG_CACHE_HOME", "NUMBA_CACHE_DIR", "NUMBA_DISABLE_JIT", "LOCALAPPDATA")


def start(code: str, **environment: str) -> subprocess.Popen[str]:
    """Start a program in a process of its own that knows no cache directory but what it is told."""
    known = {name: value for name, value in os.environ.items() if name not in TELLS}
    return subprocess.Popen(
        [sys.executable, "-P", "-c", textwrap.dedent(code)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**known, "PYTHONDONTWRITEBYTECODE": "1", **environment},
    )


def run(code: str, **environment: str) -> tuple[str, str]:
    """Run a program to its end; return what it printed and what it logged."""
    process = start(code, **environment)
    printed, logged = process.communicate()
    assert process.returncode == 0, logged
    return printed, logged


def files(folder: Path) -> set[Path]:
    """Every file below a folder."""
    return {path.relative_to(folder) for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def installation(tmp_path: Path) -> Path:
    """The package as it is installed, in a folder to itself."""
    package = tmp_path / "site-packages" / "sqlanon"
    ours = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "sqlanon", package, ignore=ours)
    for part in ("udfs", "sql"):
        shutil.copytree(ROOT / part, package / part, ignore=ours)
    return package


def test_nothing_appears_beside_the_installed_package_and_the_second_process_compiles_nothing(
    installation: Path, tmp_path: Path
) -> None:
    before = files(installation)
    where = {"PYTHONPATH": str(installation.parent), "XDG_CACHE_HOME": str(tmp_path / "caches")}
    printed, _ = run(RELEASE, **where)
    assert int(printed) >= 4
    assert files(installation) == before
    assert len(files(tmp_path / "caches" / "sqlanon")) >= int(printed)
    printed, logged = run(RELEASE, **where)
    assert (printed, logged) == ("0\n", "")


def test_the_directory_is_that_of_the_user_and_named_after_the_versions(tmp_path: Path) -> None:
    home, xdg, numba = (tmp_path / name for name in ("home", "xdg", "numba"))
    below_home = home / ("Library/Caches" if sys.platform == "darwin" else ".cache")
    for expected, told, does in (
        (below_home, {}, COMPILED),
        (below_home, {"XDG_CACHE_HOME": "not/absolute"}, CACHED),
        (xdg, {"XDG_CACHE_HOME": str(xdg)}, COMPILED),
        (numba, {"XDG_CACHE_HOME": str(xdg), "NUMBA_CACHE_DIR": str(numba)}, COMPILED),
        (numba, {"NUMBA_CACHE_DIR": str(numba)}, CACHED),
    ):
        assert run(RUN_ONE, HOME=str(home), **told) == (does, "")
        (kept,) = (expected / "sqlanon").iterdir()
        assert kept.name.startswith(f"0.1.0-{sys.implementation.cache_tag}-")


def test_other_libraries_keep_what_they_compile_where_they_did(tmp_path: Path) -> None:
    (tmp_path / "other.py").write_text("import numba\n@numba.njit(cache=True)\ndef one():\n    return 1\n")
    run(f"{RUN_ONE}\n    import other; other.one()", PYTHONPATH=str(tmp_path), XDG_CACHE_HOME=str(tmp_path / "caches"))
    assert list((tmp_path / "__pycache__").glob("other.one*.nbc"))


@pytest.mark.parametrize("module", ["loss.py", "along_curve/order.py"])
def test_any_change_of_a_kernel_compiles_all_anew_since_one_is_inside_another(
    installation: Path, tmp_path: Path, module: str
) -> None:
    where = {"PYTHONPATH": str(installation.parent), "XDG_CACHE_HOME": str(tmp_path / "caches")}
    assert run(RUN_ONE, **where)[0] == COMPILED
    assert run(RUN_ONE, **where)[0] == CACHED
    with (installation / "udfs" / "kernels" / module).open("a") as source:
        source.write("# changed\n")
    assert run(RUN_ONE, **where)[0] == COMPILED


def test_kernels_of_the_same_name_in_two_families_have_files_of_their_own() -> None:
    def search() -> None: ...

    names = set()
    for family in ("bsgi", "lattice"):
        search.__module__ = f"sqlanon.udfs.kernels.{family}.search"
        names.add(KernelCache(search)._name)
    assert len(names) == 2


def test_processes_that_start_together_do_not_disturb_each_other(tmp_path: Path) -> None:
    started = [start(RUN_ONE, XDG_CACHE_HOME=str(tmp_path)) for _ in range(4)]
    assert all(process.communicate()[1] == "" for process in started)
    assert run(RUN_ONE, XDG_CACHE_HOME=str(tmp_path)) == (CACHED, "")


def test_a_broken_file_is_replaced(tmp_path: Path) -> None:
    run(RUN_ONE, XDG_CACHE_HOME=str(tmp_path))
    (kept,) = tmp_path.rglob("*.nbc")
    whole = kept.read_bytes()
    for broken in (b"", whole[: len(whole) // 2], b"nonsense"):
        kept.write_bytes(broken)
        assert run(RUN_ONE, XDG_CACHE_HOME=str(tmp_path)) == (COMPILED, "")
        assert kept.read_bytes() not in (b"", broken)
    assert run(RUN_ONE, XDG_CACHE_HOME=str(tmp_path)) == (CACHED, "")


@pytest.mark.parametrize(
    ("obstacle", "says"),
    [
        ("cache.directory = lambda: Path(sys.executable) / 'below a file'", "not a directory"),
        ("Path.mkdir = forbidden", "permission denied"),
        ("Path.home = no_home", "there is no home directory"),
        ("Path.replace = full", "no space left on device"),
    ],
)
def test_where_nothing_can_be_written_each_process_compiles_and_says_why_once(
    tmp_path: Path, obstacle: str, says: str
) -> None:
    printed, logged = run(
        f"""
        import errno, os, sys
        from pathlib import Path
        def no_home(): raise RuntimeError("Could not determine home directory.")
        def forbidden(*_, **how): raise OSError(errno.EACCES, os.strerror(errno.EACCES), "a path")
        def full(*_): raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "a path")
        import sqlanon.udfs.kernels.runtime.cache as cache
        {obstacle}
        import numpy as np
        from sqlanon.udfs.kernels import heap
        heap.push(np.zeros(4, np.int64), 0, 1)
        heap.pop(np.zeros(4, np.int64), 1)
        print(cache.compiled)
        """,
        HOME=str(tmp_path),
    )
    assert printed == "['heap.push', 'heap.pop']\n"
    assert logged.count("cannot be kept") == 1
    assert f"for the next process: {says}. Set NUMBA_CACHE_DIR" in logged
    assert not files(tmp_path)
