"""The certificate authority: what it may sign, who can read its key, when certificates are made anew."""

from __future__ import annotations

import ipaddress
import os
import ssl
import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.x509.oid import ExtendedKeyUsageOID

from assistant_api.errors import ConfigError
from assistant_api.services import certificates, lan

NOW = datetime(2026, 7, 1, tzinfo=UTC)
NAMES = ("192.168.1.23", "fd00::23", "laptop.local", "localhost", "127.0.0.1", "::1")
posix = pytest.mark.skipif(os.name != "posix", reason="file modes are those of POSIX systems")


def server(folder: Path, names: tuple[str, ...] = NAMES, now: datetime = NOW) -> tuple[x509.Certificate, bool]:
    """The server's certificate, and whether it is new."""
    authority, _ = certificates.open_authority(folder, now)
    path, new = certificates.server_certificate(folder, authority, names, now)
    return x509.load_pem_x509_certificate(path.read_bytes()), new


def verified(folder: Path, host: str) -> None:
    """A handshake in memory with the checks that every client makes; raises ssl.SSLError."""
    client, server_side = (
        ssl.create_default_context(cafile=folder / "authority.pem"),
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER),
    )
    server_side.load_cert_chain(folder / "server.pem")
    up, down = ssl.MemoryBIO(), ssl.MemoryBIO()
    one = client.wrap_bio(down, up, server_hostname=host)
    other = server_side.wrap_bio(up, down, server_side=True)
    for _ in range(4):
        for side in (one, other):
            try:
                side.do_handshake()
            except ssl.SSLWantReadError:
                continue


def test_every_local_address_is_covered(tmp_path: Path) -> None:
    """A client that trusts the authority takes the certificate for all names, and for no other."""
    authority, _ = certificates.open_authority(tmp_path)
    certificates.server_certificate(tmp_path, authority, NAMES)
    for host in NAMES:
        verified(tmp_path, host)
    with pytest.raises(ssl.SSLError, match=r"not valid for '192\.168\.1\.24'"):
        verified(tmp_path, "192.168.1.24")


def test_it_cannot_stand_for_the_internet(tmp_path: Path) -> None:
    """Its own certificate forbids it: a certificate signed with a stolen key is refused by the client."""
    authority, _ = certificates.open_authority(tmp_path)
    for name in ("bank.example", "local.example", "8.8.8.8", "2001:4860::8888"):
        assert not certificates.may_sign(authority, name), name
    path, _ = certificates.server_certificate(tmp_path, authority, ("8.8.8.8", "bank.example", *NAMES))
    assert set(certificates.names_of(x509.load_pem_x509_certificate(path.read_bytes()))) == set(NAMES)
    forged = certificates.Authority(authority.certificate, authority.key)
    path.unlink()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(certificates, "may_sign", lambda _authority, _name: True)
        certificates.server_certificate(tmp_path, forged, ("bank.example",))
    with pytest.raises(ssl.SSLError, match="permitted subtree violation"):
        verified(tmp_path, "bank.example")


def test_it_is_what_phones_demand(tmp_path: Path) -> None:
    """At most 825 days, for servers, an authority that may sign no other authority."""
    certificate, _ = server(tmp_path)
    authority, _ = certificates.open_authority(tmp_path, NOW)
    assert certificate.not_valid_after_utc - certificate.not_valid_before_utc < timedelta(days=825)
    use = certificate.extensions.get_extension_for_class(x509.ExtendedKeyUsage).value
    assert list(use) == [ExtendedKeyUsageOID.SERVER_AUTH]
    basic = authority.certificate.extensions.get_extension_for_class(x509.BasicConstraints)
    assert (basic.critical, basic.value.ca, basic.value.path_length) == (True, True, 0)
    limits = authority.certificate.extensions.get_extension_for_class(x509.NameConstraints)
    assert limits.critical
    for subtree in limits.value.permitted_subtrees or []:
        if isinstance(subtree, x509.IPAddress) and subtree.value in certificates.LOCAL_NETWORKS:
            assert not ipaddress.ip_network(subtree.value).is_global


@posix
def test_keys_are_readable_by_their_owner_only(tmp_path: Path) -> None:
    """From the first moment on, whatever the umask; loose rights are tightened."""
    folder = tmp_path / "https"
    before = os.umask(0)
    try:
        server(folder)
    finally:
        os.umask(before)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    for path in folder.iterdir():
        assert stat.S_IMODE(path.stat().st_mode) == 0o600, path.name
    (folder / "authority.key").chmod(0o644)
    certificates.open_authority(folder, NOW)
    assert stat.S_IMODE((folder / "authority.key").stat().st_mode) == 0o600


def test_the_authority_stays_and_the_certificate_follows_the_addresses(tmp_path: Path) -> None:
    """Same names: the same certificate. Another address: a new one of the same authority, so phones do nothing."""
    first, new = server(tmp_path)
    assert new
    again, new = server(tmp_path)
    assert (again, new) == (first, False)
    moved, new = server(tmp_path, ("10.0.0.7", *NAMES[2:]))
    assert new
    assert "10.0.0.7" in certificates.names_of(moved)
    assert moved.issuer == first.issuer
    authority, made = certificates.open_authority(tmp_path, NOW)
    assert not made
    moved.verify_directly_issued_by(authority.certificate)
    first.verify_directly_issued_by(authority.certificate)


def test_both_are_made_anew_before_they_end(tmp_path: Path) -> None:
    """The server's quietly, the authority's in ten years, never one that outlives it."""
    first, _ = server(tmp_path)
    later = first.not_valid_after_utc - timedelta(days=certificates.RENEW_DAYS - 1)
    second, new = server(tmp_path, now=later)
    assert new
    assert second.not_valid_after_utc > later + timedelta(days=certificates.RENEW_DAYS)
    old, _ = certificates.open_authority(tmp_path, later)
    end = old.certificate.not_valid_after_utc
    last, _ = server(tmp_path, now=end - timedelta(days=60))
    assert last.not_valid_after_utc == end
    _, made = certificates.open_authority(tmp_path, end - timedelta(days=20))
    assert made
    newest, new = server(tmp_path, now=end - timedelta(days=20))
    assert new
    assert newest.not_valid_after_utc > end


@pytest.mark.parametrize("damage", ["authority.key", "authority.pem"])
def test_a_damaged_authority_is_told_and_kept(tmp_path: Path, damage: str) -> None:
    """One sentence that says what to do; nothing is overwritten, since phones trust it."""
    server(tmp_path)
    (tmp_path / damage).write_text("nonsense", encoding="utf-8")
    with pytest.raises(ConfigError, match="delete that folder"):
        certificates.open_authority(tmp_path, NOW)
    assert (tmp_path / damage).read_text(encoding="utf-8") == "nonsense"
    (tmp_path / damage).unlink()
    with pytest.raises(ConfigError, match="delete that folder"):
        certificates.open_authority(tmp_path, NOW)


def test_a_damaged_server_certificate_is_made_anew(tmp_path: Path) -> None:
    """It can be replaced without anybody noticing."""
    server(tmp_path)
    (tmp_path / "server.pem").write_text("nonsense", encoding="utf-8")
    assert server(tmp_path)[1]


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    """The setting to change is named."""
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(ConfigError, match="JINQUE_HTTPS_FOLDER"):
        certificates.open_authority(tmp_path / "file" / "https")


def test_addresses_of_this_machine() -> None:
    """What is offered to others is no loopback; names for the certificate hold those and the machine itself."""
    assert all(not address.is_loopback for address in lan.lan_addresses())
    assert set(certificates.ALWAYS) < {*certificates.server_names(), "x"}
    assert lan.reached_by("127.0.0.1") == ["127.0.0.1"]
    everywhere = lan.reached_by("0.0.0.0")
    assert everywhere
    assert all(":" not in host for host in everywhere)
    assert lan.url("http", "::1", 80) == "http://[::1]:80"


def test_a_public_address_of_this_machine_is_the_only_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It can be signed for, its neighbours cannot."""
    found = [(one.ip, one.network) for one in [ipaddress.ip_interface("8.8.4.5/24")]]
    monkeypatch.setattr(lan, "interfaces", lambda: found)
    monkeypatch.setattr(lan, "routed_address", lambda: None)
    authority, _ = certificates.open_authority(tmp_path)
    certificates.server_certificate(tmp_path, authority, certificates.server_names())
    verified(tmp_path, "8.8.4.5")
    assert not certificates.may_sign(authority, "8.8.4.6")


def test_without_a_network_this_machine_is_reached_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """No network at all is no reason to fail."""
    monkeypatch.setattr(lan, "interfaces", list)
    assert lan.reached_by("0.0.0.0") == ["localhost"]


def test_the_likeliest_address_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """The one with the route out before those of virtual machines, IPv4 before IPv6."""
    texts = ("fd00::5/64", "172.17.0.1/16", "192.168.1.5/24")
    found = [(one.ip, one.network) for one in map(ipaddress.ip_interface, texts)]
    monkeypatch.setattr(lan, "interfaces", lambda: found)
    monkeypatch.setattr(lan, "routed_address", lambda: ipaddress.ip_address("192.168.1.5"))
    assert lan.reached_by("0.0.0.0") == ["192.168.1.5", "172.17.0.1"]
    assert lan.reached_by("::") == ["192.168.1.5", "172.17.0.1", "fd00::5"]
