"""Signed certificates: by OpenSSH's own ssh-keygen, with keys that are made for the test."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from cli.running import QI, SA, answer, copy, refusal, run, succeed
from sqlanon.certificate import signing

pytestmark = pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="there is no ssh-keygen")

OFFICER = "officer@example.org"


def make_key(path: Path, passphrase: str = "") -> Path:
    subprocess.run(
        ["ssh-keygen", "-q", "-t", "ed25519", "-N", passphrase, "-C", "test", "-f", str(path.absolute())], check=True
    )
    return path


def list_signers(path: Path, **keys: Path) -> Path:
    """An allowed_signers file: a line for each key."""
    public = {name: key.with_name(f"{key.name}.pub").read_text() for name, key in keys.items()}
    path.write_text("".join(f"{name}@example.org {text}" for name, text in public.items()))
    return path


@pytest.fixture
def signed_files(tmp_path: Path) -> tuple[Path, Path, Path, Path]:
    """A release, its signed certificate, the key, and the list with it; in a folder with a space in its name."""
    folder = tmp_path / "a folder"
    folder.mkdir()
    key = make_key(folder / "my key")
    table, paper = (
        copy(folder / "people.parquet", "SELECT i % 3 AS zip, i % 5 AS disease FROM range(90) AS r(i)"),
        folder / "c.json",
    )
    printed = succeed("certify", table, "--qi", "zip", *SA, "-k", 3, "--out", paper, "--sign", key)
    assert "Its signature is" in printed
    return table, paper, key, list_signers(folder / "my signers", officer=key)


def verdict(release: Path, paper: Path, signers: Path, code: int) -> dict[str, str]:
    """The line of the signature."""
    result = run("verify", release, "--certificate", paper, "--signers", signers, "--json")
    assert result.exit_code == code, result.output
    found: dict[str, str] = json.loads(result.stdout)["lines"][0]
    assert found["line"] == "signature"
    return found


def test_a_signed_certificate_says_who_signed_it(signed_files: tuple[Path, Path, Path, Path]) -> None:
    release, paper, _, signers = signed_files
    assert verdict(release, paper, signers, 0)["measured"] == OFFICER
    checked = answer("verify", release, "--certificate", paper, "--signers", signers)
    assert not {"version", "created"} & set(checked["unproven"]), "they are the signer's word"
    without = answer("verify", release, "--certificate", paper)
    assert {"version", "created", "signature"} <= set(without["unproven"])


def test_ssh_keygen_alone_tells_the_same(signed_files: tuple[Path, Path, Path, Path]) -> None:
    """The command of docs/certificate.md."""
    _, paper, _, signers = signed_files
    command = ["ssh-keygen", "-Y", "verify", "-f", signers, "-I", OFFICER, "-n", "sqlanon-certificate"]
    with paper.open("rb") as file:
        subprocess.run([*command, "-s", f"{paper}.sig"], stdin=file, check=True, stdout=subprocess.DEVNULL)


def test_a_certificate_that_was_changed_is_not_the_one_that_was_signed(
    signed_files: tuple[Path, Path, Path, Path],
) -> None:
    release, paper, _, signers = signed_files
    paper.write_text(paper.read_text().replace('"version": "', '"version": "9'))
    assert "not one of this certificate" in verdict(release, paper, signers, 1)["reason"]
    assert run("verify", release, "--certificate", paper).exit_code == 0, "nothing but the signature tells"


def test_another_key_does_not_count(signed_files: tuple[Path, Path, Path, Path], tmp_path: Path) -> None:
    release, paper, _, _ = signed_files
    signers = list_signers(tmp_path / "signers", other=make_key(tmp_path / "other"))
    assert "not among the signers" in verdict(release, paper, signers, 1)["reason"]


def test_a_signature_for_another_use_does_not_count(signed_files: tuple[Path, Path, Path, Path]) -> None:
    release, paper, key, signers = signed_files
    command = ["ssh-keygen", "-q", "-Y", "sign", "-f", str(key), "-n", "file"]
    made = subprocess.run(command, input=paper.read_bytes(), check=True, capture_output=True)
    signing.signature_path(paper).write_bytes(made.stdout)
    assert "signed for another use" in verdict(release, paper, signers, 1)["reason"]


def test_a_missing_signature_is_a_failure_if_there_are_signers(signed_files: tuple[Path, Path, Path, Path]) -> None:
    release, paper, _, signers = signed_files
    signing.signature_path(paper).unlink()
    assert "is not signed" in verdict(release, paper, signers, 1)["reason"]
    signing.signature_path(paper).write_text("-----BEGIN SSH SIGNATURE-----\nnone\n")
    assert "not among the signers" in verdict(release, paper, signers, 1)["reason"]


def test_a_key_that_may_sign_other_things_alone_does_not_count(signed_files: tuple[Path, Path, Path, Path]) -> None:
    release, paper, key, signers = signed_files
    public = key.with_name(f"{key.name}.pub").read_text()
    signers.write_text(f'{OFFICER} namespaces="git" {public}')
    assert verdict(release, paper, signers, 1)["verdict"] == "differs"
    signers.write_text(f'{OFFICER} namespaces="sqlanon-certificate" {public}')
    assert verdict(release, paper, signers, 0)["verdict"] == "agrees"
    signers.write_text(f'{OFFICER} valid-before="20200101" {public}')
    assert verdict(release, paper, signers, 1)["verdict"] == "differs"


def test_a_certificate_that_is_there_can_be_signed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Paths that look like options are paths."""
    monkeypatch.chdir(tmp_path)
    key, source = make_key(Path("-key")), copy(tmp_path / "people.parquet")
    succeed("release", source, "out.parquet", *QI, *SA, "-l", 3, "--certificate", "./-c.json")
    assert "Signed" in succeed("sign", "--key=-key", "--", "-c.json")
    assert "already there" in refusal(2, "sign", "--key=-key", "--", "-c.json")
    signers = list_signers(Path("-signers"), officer=key)
    found = answer("verify", "out.parquet", "--certificate=-c.json", f"--signers={signers}", "--allow-unproven")
    assert found["lines"][0]["measured"] == OFFICER


def test_a_key_with_a_passphrase_off_a_terminal_is_an_error_and_no_question(tmp_path: Path) -> None:
    key, table = make_key(tmp_path / "key", "secret"), copy(tmp_path / "people.parquet")
    paper = tmp_path / "c.json"
    error = refusal(2, "certify", table, "--qi", "zip", "--out", paper, "--sign", key)
    assert "[SA304]" in error and "passphrase" in error
    assert not paper.exists(), "a certificate that was to be signed is not left without"


def test_wrong_use_is_refused(tmp_path: Path) -> None:
    table, paper = copy(tmp_path / "people.parquet"), tmp_path / "c.json"
    assert "--sign needs --out" in refusal(2, "certify", table, "--qi", "zip", "--sign", "key")
    assert "[SA101]" in refusal(2, "certify", table, "--qi", "zip", "--out", paper, "--sign", tmp_path / "none")
    assert "[SA304]" in refusal(2, "certify", table, "--qi", "zip", "--out", paper, "--sign", table)
    assert not paper.exists()
    paper.write_text("{}")
    assert "[SA303]" in refusal(1, "sign", paper, "--key", table)
    assert run("certify", table, "--qi", "zip", "--out", paper, "--force").exit_code == 1, "it has names"
    assert "[SA101]" in refusal(2, "verify", table, "--certificate", paper, "--signers", tmp_path / "none")
    assert "are about a certificate" in refusal(2, "verify", table, "--qi", "zip", "--signers", paper)


def test_without_ssh_keygen_the_error_says_what_to_install(
    signed_files: tuple[Path, Path, Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    release, paper, key, signers = signed_files
    monkeypatch.setattr(signing, "PROGRAM", "no-such-ssh-keygen")
    error = refusal(2, "sign", paper, "--key", key, "--force")
    assert "[SA304]" in error and "openssh-client" in error
    assert "openssh-client" in verdict(release, paper, signers, 1)["reason"]
