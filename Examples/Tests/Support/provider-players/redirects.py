"""Rules by which providers compare a requested redirect URI with the registered ones. RFC 6749, 3.1.2.3."""
from urllib.parse import urlsplit

from clients import is_loopback, without_port


def whole(address, registered):
    """Character by character, with the port."""
    return address in registered


def any_port(address, registered, hosts):
    """Character by character, but the port of these loopback hosts may differ. RFC 8252, 7.3."""
    if address in registered:
        return True
    if not is_loopback(address) or urlsplit(address).hostname not in hosts:
        return False
    return without_port(address) in [without_port(one) for one in registered if is_loopback(one)]


def below(address, registered, hosts):
    """As `any_port`, but the path may also lie below the registered one, as at GitHub."""
    if any_port(address, registered, hosts):
        return True
    return any(any_port(address[:len(address) - len(rest)], registered, hosts)
               for rest in _tails(urlsplit(address).path)) and is_loopback(address)


def _tails(path):
    """The endings of a path that begin with a slash, longest first: `/a/b` has `/a/b` and `/b`."""
    places = [place for place, letter in enumerate(path) if letter == '/']
    return [] if '..' in path.split('/') else [path[place:] for place in places]
