"""Shows of each fault that it is there, and that everything before and beside it is right.

The same things are done without the fault and with it; what is seen is written down as names and values, with what is
random or a time replaced by a word. What differs must lie in the one place that the fault is of.
"""
import json
import time
from email.utils import parsedate_to_datetime
from urllib.parse import urlencode, urlsplit

import jose
from self_test_client import REDIRECT, SCOPE, Prover, RelyingParty
from self_test_flows import DEVICE
from self_test_http import send

RANDOM = {'access_token', 'refresh_token', 'id_token', 'code', 'state', 'device_code', 'user_code', 'request_uri',
          'nonce', 'at_hash', 'verification_uri_complete', 'client_id', 'n', 'x', 'y'}
TIMES = {'iat', 'exp', 'nbf', 'auth_time', 'client_id_issued_at'}
# The places where a fault may show, where that is not one alone.
PLACES = {
    'kid-absent-single-jwks': {'jwks', 'id_token'}, 'kid-absent-multiple-jwks': {'jwks', 'id_token'},
    'key-too-small': {'jwks', 'id_token'}, 'unknown-kid-then-rotated': {'jwks', 'id_token'},
    # The key set is another, and the signature can't be verified for that alone.
    'jwks-empty': {'jwks', 'id_token'}, 'wrong-key-use': {'jwks'},
    'jwks-404': {'jwks', 'id_token'}, 'jwks-html': {'jwks', 'id_token'}, 'jwks-huge': {'jwks', 'id_token'},
    'jwks-redirect': {'jwks', 'id_token'},
    # Nothing left to compare at_hash with.
    'access-token-missing': {'token', 'id_token'},
    'clock-ahead-1h': {'clock', 'id_token'}, 'clock-behind-1h': {'clock', 'id_token'},
    # The code is not this provider's.
    'mix-up': {'callback', 'token'},
}
# The faults that a correct tool survives although a signature is wrong, which it need not verify. Core, 3.1.3.7 (6).
UNVERIFIED = {'refresh-invalid-sig'}
# What is seen without a fault, of each kind of way.
RIGHT = {}


class Sight(dict):
    """What was seen: `place.part` and a value."""

    def put(self, place, part, value):
        self[f'{place}.{part}'] = value

    def members(self, place, content):
        for name, value in content.items():
            if name in TIMES and type(value) is int:
                value = f'now {round((value - time.time()) / 60):+d} min'
            elif name in RANDOM and isinstance(value, str) and value and value.isascii() and value.isprintable():
                # A name that is not random at all is kept: it may be what is wrong.
                value = value if value.startswith(('another', 'javascript')) else '<text>'
            self.put(place, name, json.dumps(value))

    def reply(self, place, reply):
        self.put(place, 'manner', reply.manner)
        if reply.manner in ('slow', 'endless'):
            return
        self.put(place, 'status', reply.status)
        self.put(place, 'type', reply.type)
        for name in ('Retry-After', 'WWW-Authenticate'):
            self.put(place, name, reply.headers.get(name))
        if reply.location or 'Location' in reply.headers:
            self.put(place, 'target', reply.headers['Location'].partition('?')[0])
        elif reply.json:
            self.members(place, reply.json)
        elif not reply.body.startswith(b'ey'):
            self.put(place, 'text', reply.body.decode())

    def jws(self, place, party, token, keys):
        try:
            header, claims = jose.read(token)
        except jose.BadToken:
            return self.put(place, 'signature', 'none')
        self.members(f'{place}.header', {name: str(value) for name, value in header.items()})
        self.members(f'{place}.claims', claims)
        try:
            party.verified(token, keys)
            self.put(place, 'signature', 'right')
        except jose.BadToken as error:
            self.put(place, 'signature', str(error))


def seen_at_login(process, fault):
    """Discovery, keys, and sign-in in the way that the fault is of."""
    sight, login = Sight(), fault.get('login', [])
    party = RelyingParty(process, 'public' if fault['client'] == 'dynamic' else fault['client'],
                         Prover() if '--dpop' in login else None)
    discovery = send('GET', party.at('/.well-known/openid-configuration'))
    ahead = parsedate_to_datetime(discovery.headers['Date']).timestamp() - time.time()
    sight.put('clock', 'minutes', round(ahead / 60))
    sight.reply('discovery', discovery)
    for look in ('first', 'second'):
        reply = send('GET', party.at('/jwks'))
        sight.reply(f'jwks.{look}', reply)
        keys = reply.json.get('keys', [])
        sight.put(f'jwks.{look}', 'keys', len(keys))
        for number, key in enumerate(keys):
            sight.members(f'jwks.{look}.{number}', key)
    if fault['client'] == 'dynamic':
        wishes = {'redirect_uris': [REDIRECT], 'token_endpoint_auth_method': 'none'}
        sight.reply('registration', send('POST', party.at('/register'), content=wishes))
    if '--device' in login:
        see_device(sight, party)
        return sight
    code = see_authorization(sight, party, '--par' in login, {'max_age': '300'} if '--max-age' in login else {})
    if code:
        reply = party.redeem(code)
        sight.reply('token', reply)
        if isinstance(reply.json.get('id_token'), str):
            sight.jws('id_token', party, reply.json['id_token'], keys)
            half = jose.half_hash('RS256', reply.json.get('access_token', ''))
            claims = jose.read(reply.json['id_token'])[1]
            if 'access_token' in reply.json and jose.read(reply.json['id_token'])[0]['alg'][2:] == '256':
                sight.put('id_token.claims', 'at_hash is right', claims.get('at_hash') == half)
            sight.put('id_token.claims', 'nonce is right', claims.get('nonce') == party.nonce)
    return sight


def see_authorization(sight, party, pushes, changes):
    parameters = party.request(**changes)
    if pushes:
        reply = party.post('/par', **parameters)
        sight.reply('par', reply)
        if 'request_uri' not in reply.json:
            return None
        parameters = {'client_id': party.id, 'request_uri': reply.json['request_uri']}
    answer = send('GET', party.at('/authorize?') + urlencode(parameters))
    if urlsplit(answer.headers['Location']).path == '/authorize':
        sight.put('callback', 'detour', True)
        answer = send('GET', answer.headers['Location'])
    pairs = answer.location
    sight.put('callback', 'names', [name for name, _ in pairs])
    response = dict(reversed(pairs))
    sight.members('callback', response)
    sight.put('callback', 'state is right', response.get('state') == party.state)
    sight.put('callback', 'iss is right', response.get('iss') == party.issuer)
    return response.get('code') if 'error' not in response else None


def see_device(sight, party):
    party.process.control(device_interval=0, approve_devices=True)
    reply = party.post('/device-authorization', scope=SCOPE)
    sight.reply('device', reply)
    if 'device_code' in reply.json:
        poll = party.token(grant_type=DEVICE, device_code=reply.json['device_code'])
        sight.reply('poll', poll)
    party.process.control(device_interval=5, approve_devices=False)


def seen_later(process, fault):
    """Signed in without the fault; then it comes."""
    sight, party = Sight(), RelyingParty(process)
    process.control(fault=None)
    tokens, keys = party.sign_in(), send('GET', party.at('/jwks')).json['keys']
    process.control(fault=fault['name'])
    if fault['command'] in ('userinfo', 'api'):
        reply = party.userinfo(tokens['access_token'])
        sight.reply('userinfo', reply)
        if reply.type == 'application/jwt':
            sight.jws('userinfo', party, reply.body.decode(), keys)
    elif fault['command'] == 'refresh':
        reply = party.refresh(tokens['refresh_token'])
        sight.reply('refresh', reply)
        if 'id_token' in reply.json:
            sight.jws('refresh', party, reply.json['id_token'], keys)
    else:
        query = {'id_token_hint': tokens['id_token'], 'post_logout_redirect_uri': REDIRECT, 'state': 'back'}
        reply = send('GET', party.at('/end-session?') + urlencode(query))
        sight.reply('end_session', reply)
        sight.members('end_session', dict(reply.location))
        sight.reply('revocation', party.post('/revoke', token=tokens['refresh_token']))
    return sight


def differences(right, wrong):
    """What differs, without what could not be seen any more: no token follows a refused code."""
    lost = {name.partition('.')[0] for name in right} - {name.partition('.')[0] for name in wrong}
    names = [name for name in {**right, **wrong} if right.get(name) != wrong.get(name)]
    return [name for name in names if name.partition('.')[0] not in lost]


def see(process, fault):
    return (seen_at_login if fault['command'] == 'login' else seen_later)(process, fault)


def check(process, fault):
    """The names of what differs. Raises AssertionError where it is nothing, or is in two places."""
    # A broken signature is compared with a right one of the same algorithm.
    alg = fault['alg'] if fault['name'].startswith('invalid-sig') else 'RS256'
    kind = str([fault['command'], fault.get('login'), fault['client'], alg])
    if kind not in RIGHT:
        process.control(fault=None, alg=alg)
        RIGHT[kind] = see(process, {**fault, 'name': None})
        process.control(alg='RS256')
    right = RIGHT[kind]
    process.control(fault=fault['name'])
    wrong = see(process, fault)
    process.control(fault=None)
    changed = differences(right, wrong)
    places = {name.partition('.')[0] for name in changed}
    if not changed:
        raise AssertionError('nothing differs')
    if not places <= PLACES.get(fault['name'], places if len(places) == 1 else set()):
        raise AssertionError(f'differs in {sorted(changed)}')
    broken = [name for name in changed if name.endswith('.signature') and wrong.get(name, 'right') != 'right']
    if fault['name'] in UNVERIFIED:
        if not broken:
            raise AssertionError('the signature is right')
    elif broken and fault['expect'] == 0:
        raise AssertionError('must succeed, and the signature is wrong')
    return changed
