"""How phones come to the table: addresses, QR codes, and what HTTPS needs of them."""

from __future__ import annotations

import io
from dataclasses import dataclass

import segno

CERTIFICATE_FILE = "jinque.crt"
CERTIFICATE_TYPE = "application/x-x509-ca-cert"


@dataclass(frozen=True)
class SecureOffer:
    """The secure addresses of this server, and the certificate that phones install for them.

    ``certificate`` is that of the authority alone, DER; ``hosts`` are those the server's certificate is for. What is
    handed on to other phones is the plain address, since that opens on a phone without the certificate, too.
    """

    port: int
    hosts: tuple[str, ...]
    name: str
    certificate: bytes
    fingerprint: str
    plain_port: int = 8000

    def host_for(self, asked: str | None) -> str:
        """The host by which the phone came, when the certificate is for it; else the likeliest one."""
        return asked if asked in self.hosts else self.hosts[0]


def qr_text(url: str) -> str:
    """A QR code for the terminal."""
    out = io.StringIO()
    segno.make(url, error="m").terminal(out=out, compact=True)
    return out.getvalue()


def qr_svg(url: str) -> str:
    """A QR code for a page: an ``svg`` element of class ``qr``, black on white in every colour scheme."""
    out = io.BytesIO()
    options = {"xmldecl": False, "nl": False, "omitsize": True, "light": "#fff", "svgclass": "qr", "lineclass": None}
    segno.make(url, error="m").save(out, kind="svg", **options)
    return out.getvalue().decode()


def side_by_side(left: str, right: str, gap: int = 4) -> str:
    """Two QR codes in one row of the terminal, the lower one filled up with space.

    >>> side_by_side("ab\\ncd", "e", gap=1)
    'ab e\\ncd'
    """
    one, other = left.splitlines(), right.splitlines()
    width = max(map(len, one))
    rows = max(len(one), len(other))
    one += [""] * (rows - len(one))
    other += [""] * (rows - len(other))
    return "\n".join(f"{a:<{width + gap}}{b}".rstrip() for a, b in zip(one, other, strict=True))
