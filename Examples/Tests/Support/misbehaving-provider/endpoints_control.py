"""What a test asks of the provider beside the protocol."""
import json
from dataclasses import fields

import assertions
import endpoints_device
import tokens
from exchange import json_answer
from jose import ALGORITHMS
from state import Settings

SETTINGS = {one.name: one.type for one in fields(Settings)}


def control(provider, request):
    """Changes what is said, all or nothing; answers what holds now."""
    try:
        wishes = json.loads(request.body or b'{}')
        done = _apply(provider, wishes)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        return json_answer({'error': f'not understood: {error}'}, 400)
    return json_answer({**provider.summary, **done})


def _apply(provider, wishes):
    actions = {'fault', 'approve_device', 'deny_device', 'rotate_keys', 'end_sessions', 'forget'}
    for name, value in wishes.items():
        if name not in actions and name not in SETTINGS:
            raise KeyError(name)
        if name in SETTINGS and not isinstance(value, (SETTINGS[name], int)):
            raise ValueError(name)
        if name == 'alg' and value not in ALGORITHMS:
            raise ValueError(name)
    if 'fault' in wishes:
        provider.set_fault(wishes['fault'])
    for name in SETTINGS:
        if name in wishes:
            setattr(provider.settings, name, wishes[name])
    done = {}
    for name, decision in (('approve_device', 'approved'), ('deny_device', 'denied')):
        if name in wishes:
            done[decision] = endpoints_device.decide(provider, wishes[name], decision)
    if wishes.get('rotate_keys'):
        provider.keys.rotate()
    if wishes.get('end_sessions'):
        # As an administrator does: every refresh token is refused from now on.
        for family in list(provider.refresh_tokens.values()):
            tokens.end(provider, family)
    if wishes.get('forget'):
        provider.record.log.clear()
    return done


def log(provider, request):
    return json_answer(provider.record.log)


def workload_token(provider, request):
    """A token for a workload, good for as many seconds as `life` says, or past."""
    return json_answer({'token': assertions.workload_token(provider, int(request.query['life'] or 600))})


def secrets(provider, request):
    return json_answer([{'kind': kind, 'value': value} for value, kind in provider.record.secrets.items()])
