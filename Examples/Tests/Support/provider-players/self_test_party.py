"""A relying party for the self-test, which runs in the player's namespace. Its own code, but for signatures."""
import base64
import hashlib
import http.client
import json
import os
import secrets
import socket
import ssl
import subprocess
import urllib.error
import urllib.request
from pathlib import Path
from urllib.parse import quote_plus, urlencode, urlsplit

import jose
from self_test_http import Reply

DEVICE = 'urn:ietf:params:oauth:grant-type:device_code'
CONTEXT = ssl.create_default_context(cafile='/etc/ssl/certs/ca-certificates.crt')


class Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *words):
        return None


OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}), Stay,
                                     urllib.request.HTTPSHandler(context=CONTEXT))


def send(address, form=None, headers=None, content=None):
    """One request; redirects are not followed."""
    headers, body = {'User-Agent': 'self-test', **(headers or {})}, None
    if form is not None:
        body = urlencode({name: value for name, value in form.items() if value is not None}).encode()
    if content is not None:
        body, headers['Content-Type'] = json.dumps(content).encode(), 'application/json'
    try:
        with OPENER.open(urllib.request.Request(address, body, headers), timeout=10) as response:
            return Reply('whole', response.status, response.headers, response.read())
    except urllib.error.HTTPError as error:
        return Reply('whole', error.code, error.headers, error.read())


def api(address, token, headers=None, scheme='Bearer'):
    return send(address, headers={'Authorization': f'{scheme} {token}', **(headers or {})})


def expect(reply, status, error=None):
    """Asserts a response's status, and its error code in a JSON object or a redirect."""
    said = dict(reply.location).get('error') or reply.json.get('error')
    assert (reply.status, said) == (status, error), (reply.status, said, reply.body[:300])
    return reply


class Test:
    """The player that is tested: its place, and its commands over two inherited pipes."""

    def __init__(self, place, commands, answers):
        self.place, self.clients = place, place['clients']
        self.commands, self.answers = os.fdopen(commands, 'w'), os.fdopen(answers)

    def tell(self, **wishes):
        self.commands.write(json.dumps(wishes) + '\n')
        self.commands.flush()
        answer = json.loads(self.answers.readline())
        assert 'error' not in answer, answer
        return answer

    def set(self, **settings):
        return self.tell(set=settings)

    def party(self, name='desktop', **more):
        return Party(self, self.clients[name], **more)


class Party:
    def __init__(self, test, client, scope='openid profile email', redirect=None, metadata=None, method='post',
                 **extra):
        self.test, self.client, self.scope, self.method = test, client, scope, method
        self.redirect, self.extra = redirect or test.place['redirect'], extra
        self.metadata = metadata or discovered(test.place['issuer'])
        self.prover, self.proof = None, {}

    def address(self, **changes):
        """The address of an authorization request."""
        self.verifier, self.state, self.nonce = (secrets.token_urlsafe(32) for _ in range(3))
        parameters = {'response_type': 'code', 'client_id': self.client['client_id'], 'redirect_uri': self.redirect,
                      'scope': self.scope, 'state': self.state, 'nonce': self.nonce,
                      'code_challenge': jose.b64(hashlib.sha256(self.verifier.encode()).digest()),
                      'code_challenge_method': 'S256', **self.extra, **changes}
        parameters = {name: value for name, value in parameters.items() if value is not None}
        self.sent = parameters.get('redirect_uri')
        return self.metadata['authorization_endpoint'] + '?' + urlencode(parameters)

    def authorize(self, **changes):
        return send(self.address(**changes))

    def callback(self, **changes):
        reply = self.authorize(**changes)
        assert reply.status == 302, (reply.status, reply.body)
        found = dict(reply.location)
        assert found['state'] == self.state and 'code' in found, found
        return found

    def post(self, endpoint, **form):
        form, headers = {'client_id': self.client['client_id'], **form}, dict(self.proof)
        secret = form.pop('secret', self.client.get('client_secret'))
        if secret and self.method == 'basic':
            pair = f'{quote_plus(form.pop("client_id"))}:{quote_plus(secret)}'
            headers['Authorization'] = 'Basic ' + base64.b64encode(pair.encode()).decode()
        elif secret:
            form['client_secret'] = secret
        if self.prover:
            headers['DPoP'] = self.prover.proof('POST', self.metadata[endpoint])
        reply = send(self.metadata[endpoint], form, {'Accept': 'application/json', **headers})
        if self.prover and 'DPoP-Nonce' in reply.headers:
            self.prover.nonce = reply.headers['DPoP-Nonce']
        return reply

    def redeem(self, code, **changes):
        form = {'grant_type': 'authorization_code', 'code': code, 'redirect_uri': self.sent,
                'code_verifier': self.verifier}
        return self.post('token_endpoint', **{**form, **changes})

    def sign_in(self, redeeming=None, **changes):
        return expect(self.redeem(self.callback(**changes)['code'], **(redeeming or {})), 200).json

    def refresh(self, token, **changes):
        return self.post('token_endpoint', grant_type='refresh_token', refresh_token=token, **changes)

    def device(self, **changes):
        return self.post('device_authorization_endpoint', **{'scope': self.scope, **self.extra, **changes})

    def poll(self, code, **changes):
        return self.post('token_endpoint', grant_type=DEVICE, device_code=code, **changes)

    def verified(self, token, keys=None):
        """The claims of an ID token, verified with the published key."""
        keys = keys or send(self.metadata['jwks_uri']).json['keys']
        header, _ = jose.read(token)
        key, = [key for key in keys if key['kid'] == header['kid']]
        _, claims = jose.verify(token, key)
        assert claims['aud'] == self.client['client_id'] and claims['exp'] > claims['iat']
        return claims


def discovered(issuer):
    return expect(send(issuer.rstrip('/') + '/.well-known/openid-configuration'), 200).json


def general(party, page=400, error='invalid_scope'):
    """The rules that every player has: PKCE, codes, clients, redirect URIs, state."""
    other = party.redirect.replace('://', '://evil.') + '/other'
    tokens = party.sign_in()
    assert tokens['token_type'].lower() == 'bearer'
    if 'id_token' in tokens:
        claims = party.verified(tokens['id_token'])
        assert claims['nonce'] == party.nonce and claims['sub'] == party.test.place['user']['sub']
    for changes in ({'client_id': 'unknown'}, {'redirect_uri': other}):
        reply = party.authorize(**changes)
        assert 'code=' not in reply.headers.get('Location', ''), reply.headers
    for changes in ({'code_challenge': None}, {'code_challenge_method': 'plain'}, {'response_type': 'token'}):
        assert 'code=' not in party.authorize(**changes).headers.get('Location', '')
    for changes in ({'code_verifier': 'a' * 43}, {'redirect_uri': other}, {'client_id': 'unknown'}):
        reply = party.redeem(party.callback()['code'], **changes)
        assert 'access_token' not in reply.json and (reply.json.get('error') or reply.json.get('errorCode')), reply.body
    assert 'access_token' not in party.redeem('unknown').json
    # A code is used once, and its second use ends what came of it.
    code = party.callback()['code']
    first = expect(party.redeem(code), 200).json
    assert 'access_token' not in party.redeem(code).json
    assert api(party.test.place['api'], first['access_token']).status == 401
    party.test.set(consent='deny')
    denied = party.authorize()
    assert dict(denied.location)['error'] == 'access_denied' and dict(denied.location)['state'] == party.state
    party.test.set(consent='allow')
    assert api(party.test.place['api'], 'unknown').status == 401


def polls(party, pending, slow_down, denied):
    """The device flow: statuses and codes of the three refusals. Returns the tokens."""
    party.test.set(device_interval=0, approve_after_polls=2)
    device = expect(party.device(), 200).json
    for _ in range(2):
        expect(party.poll(device['device_code']), *pending)
    tokens = expect(party.poll(device['device_code']), 200).json
    expect_refused(party.poll(device['device_code']))
    party.test.set(device_interval=5, approve_after_polls=1)
    device = expect(party.device(), 200).json
    expect(party.poll(device['device_code']), *pending)
    reply = expect(party.poll(device['device_code']), *slow_down)
    party.test.set(device_interval=0, approve_after_polls=0, deny_device=True)
    expect(party.poll(expect(party.device(), 200).json['device_code']), *denied)
    party.test.set(deny_device=False, device_life=0)
    party.expired = party.poll(expect(party.device(), 200).json['device_code'])
    expect_refused(party.expired)
    party.test.set(device_life=900)
    party.slowed = reply.json
    return tokens


def expect_refused(reply):
    assert 'access_token' not in reply.json and reply.json.get('error'), reply.body
    return reply


def browses(party):
    """The program `user` signs in, as the tool's browser."""
    with socket.create_server(('127.0.0.1', 0)) as listener:
        address = party.address(redirect_uri=f'http://127.0.0.1:{listener.getsockname()[1]}/callback')
        browser = subprocess.Popen([Path(__file__).parent / 'user', address])
        connection, _ = listener.accept()
        line = connection.recv(4096).split(b'\r\n')[0]
        connection.sendall(b'HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n')
        connection.close()
        assert browser.wait(10) == 0 and b'code=' in line and party.state.encode() in line, line


def keeps_alive(host):
    """Two requests on one connection."""
    connection = http.client.HTTPSConnection(host, context=CONTEXT, timeout=10)
    for _ in range(2):
        connection.request('GET', '/nothing')
        response = connection.getresponse()
        assert response.status == 404 and response.version == 11 and 'Content-Length' in response.headers
        response.read()
    connection.close()


def host_of(url):
    return urlsplit(url).hostname
