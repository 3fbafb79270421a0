"""The addresses under which other devices of the local network reach this machine."""

from __future__ import annotations

import re
import socket
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

import ifaddr

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

EVERYWHERE = {"0.0.0.0", "::", ""}
_LABEL = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?")


def routed_address() -> Address | None:
    """The address this machine would use towards others; None without a network. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # reserved for documentation, RFC 5737: only the route is looked up
        except OSError:
            return None
        return ip_address(probe.getsockname()[0])


def interfaces() -> list[tuple[Address, Network]]:
    """Every address of this machine that others may reach, with its network; not loopback, not link-local."""
    found: list[tuple[Address, Network]] = []
    for adapter in ifaddr.get_adapters():
        for ip in adapter.ips:
            address = ip_address(ip.ip if isinstance(ip.ip, str) else ip.ip[0])
            if not (address.is_loopback or address.is_link_local or address.is_unspecified or address.is_multicast):
                found.append((address, ip_network(f"{address}/{ip.network_prefix}", strict=False)))
    return found


def lan_addresses() -> list[Address]:
    """All of them, the likeliest first: the one with the route out, then IPv4 before IPv6.

    IPv6 addresses that change for privacy are among them: they hold for hours, which is an evening.
    """
    first = routed_address()
    addresses = dict.fromkeys(address for address, _ in interfaces())
    return sorted(addresses, key=lambda address: (address != first, address.version))


def local_name() -> str | None:
    """This machine's name on the local network (``laptop.local``); None when it cannot be one."""
    name = socket.gethostname().partition(".")[0].lower()
    return f"{name}.local" if _LABEL.fullmatch(name) else None


def reached_by(host: str) -> list[str]:
    """The hosts to put into an address for a server that listens on this one.

    >>> reached_by("127.0.0.1")
    ['127.0.0.1']
    """
    if host not in EVERYWHERE:
        return [host]
    versions = {4} if host == "0.0.0.0" else {4, 6}
    return [str(address) for address in lan_addresses() if address.version in versions] or ["localhost"]


def url(scheme: str, host: str, port: int) -> str:
    """An address to open in a browser.

    >>> url("https", "::1", 8443)
    'https://[::1]:8443'
    """
    return f"{scheme}://{f'[{host}]' if ':' in host else host}:{port}"
