"""The page that explains, step by step, how a phone comes to trust the secure address; and the certificate for it."""

from __future__ import annotations

from typing import cast

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse

from assistant_api.deps import LanguageDep
from assistant_api.errors import NotFoundError
from assistant_api.routes.pages import render
from assistant_api.services import lan
from assistant_api.services.joining import CERTIFICATE_FILE, CERTIFICATE_TYPE, SecureOffer

router = APIRouter(include_in_schema=False)


def _offer(request: Request) -> SecureOffer | None:
    return cast("SecureOffer | None", request.app.state.secure)


@router.get("/install")
def install(request: Request, language: LanguageDep) -> HTMLResponse:
    """Steps for iOS and Android; on the secure address: whether the phone trusts it."""
    offer = _offer(request)
    words = {
        "secure": request.url.scheme == "https",
        "offer": offer,
        "certificate": f"/install/{CERTIFICATE_FILE}",
        "check": offer and lan.url("https", offer.host_for(request.url.hostname), offer.port) + "/install",
    }
    return render(request, language, "install", words=words)


@router.get(f"/install/{CERTIFICATE_FILE}")
def certificate(request: Request) -> Response:
    """The certificate of the authority, DER; never a key."""
    offer = _offer(request)
    if offer is None:
        raise NotFoundError("this server was started without --https")
    # not as an attachment: iOS would put it among the files instead of offering to install it
    return Response(offer.certificate, media_type=CERTIFICATE_TYPE)
