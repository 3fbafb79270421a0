"""What ``jinque serve`` prints: the addresses to open on a phone, as text and as QR codes."""

from __future__ import annotations

from collections.abc import Sequence

from assistant_api.services.joining import qr_text, side_by_side
from assistant_api.services.serving import Secure
from assistant_api.terminal import console


def show(urls: Sequence[str], database: str) -> None:
    """Where the page is, as text and as a QR code of the likeliest address."""
    console.print()
    console.out(qr_text(urls[0]))
    console.print(f"  用手机扫码，或打开 Scan with a phone in the same network, or open   [bold green]{urls[0]}[/]")
    _show_others(urls)
    _show_ledger(database)


def show_secure(
    plain: Sequence[str], safe: Sequence[str], secure: Secure, left_out: Sequence[str], database: str
) -> None:
    """The page that helps a phone install the certificate, and the secure page, side by side where there is room."""
    install = f"{plain[0]}/install"
    codes = qr_text(install), qr_text(safe[0])
    both = side_by_side(*codes)
    console.print()
    if max(map(len, both.splitlines())) + 1 <= console.width:
        console.out(both)
    else:
        console.out(codes[0])
    console.print(f"  ① 每部手机第一次 once on each phone       [bold green]{install}[/]")
    console.print(f"  ② 以后打开 from then on                   [bold green]{safe[0]}[/]")
    _show_others(safe)
    console.print(f"  不装也能用（没有实时相机）without it: photos only   [green]{plain[0]}[/]")
    _show_others(plain)
    news = "  [yellow]新证书，手机需重新安装 new, so phones install it anew[/]" if secure.is_new else ""
    console.print(
        f"  [dim]证书 certificate: {secure.offer.name}, SHA-256 {secure.offer.fingerprint}[/]{news}", soft_wrap=True
    )
    for address in left_out:
        console.print(f"  [yellow]{address}: 不在证书范围内 is outside what the certificate may cover[/]")
    _show_ledger(database)


def _show_others(urls: Sequence[str]) -> None:
    for url in urls[1:]:
        console.print(f"  [dim]或 or[/] [green]{url}[/]")


def _show_ledger(database: str) -> None:
    console.print(f"  [dim]账本 ledger: {database}   Ctrl+C 结束 stops[/]\n", soft_wrap=True)
