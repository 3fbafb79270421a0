"""A certificate authority of this machine's own, and a certificate for its addresses: HTTPS on a local network.

Phones open the camera on secure addresses only, and no public authority signs for 192.168.1.23. The authority is made
once and installed on each phone; its certificate says that it may sign for local addresses and names and this machine
only (name constraints, RFC 5280 section 4.2.1.10), so even a stolen key could not stand for any site of the internet.
Its key is readable by its owner alone, and nothing in this program serves a file of that folder.

The certificate of the server follows what phones demand: names as subject alternative names, use for servers, at most
825 days (https://support.apple.com/en-us/103769). It is made anew when the addresses change or the end comes near.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from pathlib import Path

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from assistant_api.errors import ConfigError
from assistant_api.services import lan

AUTHORITY_DAYS = 3650
SERVER_DAYS = 397
RENEW_DAYS = 30
CLOCKS_DIFFER = timedelta(days=1)
"""A phone whose clock is behind must not take a new certificate for one of tomorrow."""

LOCAL_NETWORKS = tuple(
    ip_network(text)
    for text in (
        "10.0.0.0/8",
        "172.16.0.0/12",
        "192.168.0.0/16",
        "100.64.0.0/10",
        "169.254.0.0/16",
        "127.0.0.0/8",
        "fc00::/7",
        "fe80::/10",
        "::1/128",
    )
)
LOCAL_NAMES = ("localhost", "local")
ALWAYS = ("localhost", "127.0.0.1", "::1")

_AUTHORITY, _AUTHORITY_KEY, _SERVER = "authority.pem", "authority.key", "server.pem"


@dataclass(frozen=True)
class Authority:
    """The authority: its certificate, which phones install, and its key, which stays here."""

    certificate: x509.Certificate
    key: ec.EllipticCurvePrivateKey

    @property
    def der(self) -> bytes:
        """The certificate alone, as phones take it."""
        return self.certificate.public_bytes(Encoding.DER)

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the certificate, ``3F:A0:..``, to compare on both screens."""
        return self.certificate.fingerprint(hashes.SHA256()).hex(":").upper()

    @property
    def name(self) -> str:
        """What the phone calls it."""
        return str(self.certificate.subject.get_attributes_for_oid(NameOID.COMMON_NAME)[0].value)


def server_names() -> tuple[str, ...]:
    """What the server's certificate is for: this machine's addresses and name, and itself."""
    own = [str(address) for address in lan.lan_addresses()]
    name = lan.local_name()
    return tuple(dict.fromkeys([*own, *([name] if name else []), *ALWAYS]))


def open_authority(folder: Path, now: datetime | None = None) -> tuple[Authority, bool]:
    """The authority kept in a folder, and whether it is a new one, made because there was none or its end is near.

    Raises:
        ConfigError: its files are damaged or cannot be written; the message says what to do.
    """
    now = now or datetime.now(UTC)
    certificate_path, key_path = folder / _AUTHORITY, folder / _AUTHORITY_KEY
    if certificate_path.exists() or key_path.exists():
        authority = _load(certificate_path, key_path)
        if authority.certificate.not_valid_after_utc - now > timedelta(days=RENEW_DAYS):
            return authority, False
    authority = _make_authority(now)
    _keep(key_path, _private_pem(authority.key))
    _keep(certificate_path, authority.certificate.public_bytes(Encoding.PEM))
    return authority, True


def _load(certificate_path: Path, key_path: Path) -> Authority:
    try:
        key = load_pem_private_key(key_path.read_bytes(), password=None)
        certificate = x509.load_pem_x509_certificate(certificate_path.read_bytes())
        if not isinstance(key, ec.EllipticCurvePrivateKey) or key.public_key() != certificate.public_key():
            raise ValueError("key and certificate do not belong together")
        key_path.chmod(0o600)
    except (OSError, ValueError) as error:
        raise ConfigError(
            f"the certificate authority in {certificate_path.parent} cannot be used ({error}); delete that folder to "
            "have a new one made, which the phones then install anew"
        ) from None
    return Authority(certificate, key)


def _make_authority(now: datetime) -> Authority:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, f"Jinque {socket.gethostname()}"[:64])])
    networks = [*LOCAL_NETWORKS]
    for address in lan.lan_addresses():  # a computer with a public address may vouch for that one, not for neighbours
        if not any(address in network for network in networks):
            networks.append(ip_network(address))
    permitted: list[x509.GeneralName] = [x509.DNSName(one) for one in LOCAL_NAMES]
    permitted += [x509.IPAddress(one) for one in networks]
    usage = x509.KeyUsage(
        digital_signature=False,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=True,
        crl_sign=True,
        encipher_only=False,
        decipher_only=False,
    )
    certificate = (
        _builder(name, name, key, now, now + timedelta(days=AUTHORITY_DAYS))
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(usage, critical=True)
        .add_extension(x509.NameConstraints(permitted_subtrees=permitted, excluded_subtrees=None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(key, hashes.SHA256())
    )
    return Authority(certificate, key)


def _builder(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePrivateKey, now: datetime, end: datetime
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - CLOCKS_DIFFER)
        .not_valid_after(end)
    )


def server_certificate(
    folder: Path, authority: Authority, names: Iterable[str], now: datetime | None = None
) -> tuple[Path, bool]:
    """The file with the server's certificate and key, and whether it was made anew.

    Args:
        folder: where it is kept.
        authority: signs it.
        names: addresses and names it is for; those the authority may not sign for are left out.
        now: the time, for tests.
    """
    now = now or datetime.now(UTC)
    path = folder / _SERVER
    signable = tuple(name for name in dict.fromkeys(names) if may_sign(authority, name))
    with suppress(OSError, ValueError, InvalidSignature, x509.ExtensionNotFound):
        certificate = x509.load_pem_x509_certificate(path.read_bytes())
        certificate.verify_directly_issued_by(authority.certificate)
        fresh = certificate.not_valid_after_utc - now > timedelta(days=RENEW_DAYS)
        if fresh and set(names_of(certificate)) == set(signable):
            return path, False
    key = ec.generate_private_key(ec.SECP256R1())
    end = min(now + timedelta(days=SERVER_DAYS), authority.certificate.not_valid_after_utc)
    subject = x509.Name([x509.NameAttribute(NameOID.ORGANIZATION_NAME, authority.name)])
    issuer_key = x509.AuthorityKeyIdentifier.from_issuer_public_key(authority.key.public_key())
    certificate = (
        _builder(subject, authority.certificate.subject, key, now, end)
        .add_extension(x509.SubjectAlternativeName([_general(name) for name in signable]), critical=False)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(issuer_key, critical=False)
        .sign(authority.key, hashes.SHA256())
    )
    _keep(path, certificate.public_bytes(Encoding.PEM) + _private_pem(key))
    return path, True


def may_sign(authority: Authority, name: str) -> bool:
    """Whether the authority's constraints let it sign for a name or address."""
    permitted = authority.certificate.extensions.get_extension_for_class(x509.NameConstraints).value.permitted_subtrees
    assert permitted is not None
    wanted = _general(name)
    if isinstance(wanted, x509.IPAddress):
        networks = [one.value for one in permitted if isinstance(one, x509.IPAddress)]
        return any(isinstance(one, IPv4Network | IPv6Network) and wanted.value in one for one in networks)
    domains = [str(one.value) for one in permitted if isinstance(one, x509.DNSName)]
    return any(name == domain or name.endswith(f".{domain}") for domain in domains)


def names_of(certificate: x509.Certificate) -> list[str]:
    """The names and addresses a certificate is for."""
    found = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    return [str(one.value) for one in found]


def _general(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ip_address(name))
    except ValueError:
        return x509.DNSName(name)


def _private_pem(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def _keep(path: Path, content: bytes) -> None:
    """Write a file that nobody else can read, not even while it is being written."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        unfinished = path.with_suffix(".new")
        unfinished.unlink(missing_ok=True)
        with os.fdopen(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(content)
        unfinished.replace(path)
    except OSError as error:
        raise ConfigError(
            f"{path} cannot be written ({error.strerror}); choose another folder with JINQUE_HTTPS_FOLDER"
        ) from None
