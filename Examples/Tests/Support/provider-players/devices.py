"""Devices without a browser. RFC 8628. The user decides after a number of polls."""
import secrets
import time

from base import DEVICE, Family
from endpoints_device import LETTERS, TOLERANCE, Device
from exchange import OAuthError, page, with_parameters


def start(player, request):
    try:
        request.form.refuse_repeated()
        client = player.authenticate(request)
        if DEVICE not in client.grants:
            raise player.fail('grant_not_allowed')
        words = (request.form['scope'] or '').split()
        if not words and player.scope_required:
            raise player.fail('missing', name='scope')
        scope = ' '.join(player.granted(client, words, request.form))
    except OAuthError as error:
        return player.error_answer(error, request)
    device = _device(player, client, scope)
    device.parameters = dict(request.form.pairs)
    return player.token_answer(_content(player, device), request)


def _device(player, client, scope):
    letters = ''.join(secrets.choice(LETTERS) for _ in range(8))
    settings = player.settings
    device = Device(player.secret('device_code'), f'{letters[:4]}-{letters[4:]}', client, scope,
                    time.monotonic() + settings.device_life, settings.device_interval)
    player.devices[device.code] = device
    return device


def _content(player, device):
    complete = with_parameters(player.device_page, [('user_code', device.user_code)])
    content = {'device_code': device.code, 'user_code': device.user_code, 'verification_uri': player.device_page,
               'verification_uri_complete': complete, 'expires_in': player.settings.device_life,
               'interval': device.interval}
    player.complete_device(content)
    return content


def poll(player, code, client):
    """The family of a device that the user approved. Raises OAuthError until then."""
    device = player.devices.get(code)
    if device is None or device.client is not client:
        raise player.fail('bad_device_code')
    now, last = time.monotonic(), device.polled
    device.polled = now
    if device.until < now:
        raise player.fail('device_expired')
    if last is not None and now - last < device.interval - TOLERANCE:
        # RFC 8628, 3.5: five seconds more for this and all further polls.
        device.interval += 5
        raise player.fail('slow_down', interval=device.interval)
    if device.polls < player.settings.approve_after_polls:
        device.polls += 1
        raise player.fail('pending')
    del player.devices[code]
    if player.settings.deny_device:
        raise player.fail('device_denied')
    family = Family(client, device.scope, int(player.now), parameters=device.parameters, by_device=True)
    player.families.append(family)
    return family


def show_page(player, request):
    """The page to which the user goes. Seeing it decides nothing: RFC 8628, 5.4."""
    return page('Enter the code that your device shows.')
