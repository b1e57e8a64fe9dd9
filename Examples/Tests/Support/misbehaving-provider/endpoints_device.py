"""Devices without a browser. RFC 8628."""
import secrets
import time
from dataclasses import dataclass
from html import escape

from exchange import NO_STORE, OAuthError, json_answer, page, with_parameters
from tokens import Family, granted

# RFC 8628, 6.1: no vowels, so no words.
LETTERS = 'BCDFGHJKLMNPQRSTVWXZ'
# A poll may come this much too early: clocks tick unevenly.
TOLERANCE = 0.1


@dataclass
class Device:
    code: str
    user_code: str
    client: object
    scope: str
    until: float
    interval: float
    polled: float = None
    polls: int = 0
    decision: str = None


def device_authorization(provider, request):
    request.form.refuse_repeated()
    client = provider.clients.authenticate(request)
    letters = ''.join(secrets.choice(LETTERS) for _ in range(8))
    life, interval = provider.settings.device_life, provider.settings.device_interval
    device = Device(provider.secret('device_code'), f'{letters[:4]}-{letters[4:]}', client,
                    granted(request.form.required('scope')), time.monotonic() + life, interval)
    if provider.settings.approve_devices:
        device.decision = 'approved'
    provider.devices[device.code] = device
    address = provider.address('/device')
    content = {'device_code': device.code, 'user_code': device.user_code, 'verification_uri': address,
               'verification_uri_complete': with_parameters(address, [('user_code', device.user_code)]),
               'expires_in': life, 'interval': interval}
    return json_answer(provider.spoil('device', content, device=device), headers=NO_STORE)


def decide(provider, user_code, decision):
    """What the person says. True stands for every code that waits. Returns how many there were."""
    found = [device for device in provider.devices.values()
             if device.decision is None and (user_code is True or device.user_code == _normal(user_code))]
    for device in found:
        device.decision = decision
    return len(found)


def _normal(text):
    """RFC 8628, 6.1: case and punctuation don't count."""
    letters = ''.join(letter for letter in str(text).upper() if letter in LETTERS)
    return f'{letters[:4]}-{letters[4:]}'


def device_page(provider, request):
    """Where the person goes. Seeing it decides nothing: RFC 8628, 5.4."""
    if request.method == 'POST':
        decision = 'denied' if request.form['action'] == 'deny' else 'approved'
        found = decide(provider, request.form['user_code'] or '', decision)
        return page(f'The device is {decision}.' if found else 'No device waits with this code.', 200 if found else 404)
    code = escape(request.query['user_code'] or '')
    return page('<form method="post"><label>Code <input name="user_code" value="' + code + '"></label>'
                '<button name="action" value="approve">Approve</button>'
                '<button name="action" value="deny">Deny</button></form>')


def poll(provider, code, client):
    """The family of a device that was approved. RFC 8628, 3.5."""
    device = provider.devices.get(code)
    if device is None or device.client is not client:
        raise OAuthError('invalid_grant', 'no such device code')
    now, last = time.monotonic(), device.polled
    device.polled, device.polls = now, device.polls + 1
    said = provider.replace('poll', device=device)
    if said:
        raise OAuthError(said, 'said without need')
    if device.until < now:
        raise OAuthError('expired_token', 'the device code has expired')
    if last is not None and now - last < device.interval - TOLERANCE:
        slow_down(device)
    if device.decision is None:
        raise OAuthError('authorization_pending', 'the person has not decided yet')
    del provider.devices[code]
    if device.decision == 'denied':
        raise OAuthError('access_denied', 'the person said no')
    return Family(client, device.scope, int(provider.now))


def slow_down(device):
    """Five seconds more for this and all further polls."""
    device.interval += 5
    raise OAuthError('slow_down', 'polled too fast')
