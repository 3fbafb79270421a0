"""Addresses to hand on, as a link and as a QR code."""

from __future__ import annotations

import ipaddress
from typing import Annotated

from fastapi import APIRouter, Request
from pydantic import ConfigDict, Field

from assistant_api.routes.answers import problems
from assistant_api.schemas import Wire
from assistant_api.services import lan
from assistant_api.services.joining import SecureOffer, qr_svg

router = APIRouter(prefix="/api", tags=["games"])


class Handed(Wire):
    """A page of this server to hand on; the part behind # may hold a token, so it travels in the body."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"path": "/g/b7Lq3zXc9VnM5kPj1HdS2w"}]})

    path: Annotated[str, Field(max_length=300, pattern=r"^/([A-Za-z0-9._~#?=&-][A-Za-z0-9/._~#?=&-]*)?$")]


class Code(Wire):
    """The full address as other phones reach it, and its QR code as SVG."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [{"url": "http://192.0.2.7:8000/g/b7Lq3zXc9VnM5kPj1HdS2w", "svg": "<svg></svg>"}]
        },
    )

    url: str
    svg: str


@router.post("/qr", responses=problems(400, 413, 422))
def qr(body: Handed, request: Request) -> Code:
    """Make the QR code of a page: the plain address, as the network knows this computer."""
    base = request.base_url
    offer: SecureOffer | None = request.app.state.secure
    if offer is not None and base.scheme == "https":
        base = base.replace(scheme="http", port=offer.plain_port)
    if _is_loopback(base.hostname or "") and (known_as := lan.routed_address()):
        base = base.replace(hostname=str(known_as))
    url = str(base).rstrip("/") + body.path
    return Code(url=url, svg=qr_svg(url))


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
