"""A relying party for the self-test: its own code, apart from that of the provider (but for signatures)."""
import base64
import hashlib
import json
import secrets
import subprocess
import time
from pathlib import Path
from urllib.parse import quote_plus, urlencode

import jose
from self_test_http import send

REDIRECT = 'http://127.0.0.1:49152/callback'
SCOPE = 'openid profile email offline_access'
HERE = Path(__file__).parent


class Process:
    """The provider, run as the tests of the tool run it."""

    def __init__(self, *arguments):
        self.process = subprocess.Popen([HERE / 'provider', *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        place = json.loads(self.process.stdout.readline())
        self.issuer, self.other, self.clients = place['issuer'], place['other'], place['clients']

    def control(self, **wishes):
        reply = send('POST', self.issuer + '/_control', content=wishes)
        assert reply.status == 200, reply.body
        return reply.json

    def get(self, path):
        return json.loads(send('GET', self.issuer + path).body)

    def end(self):
        self.process.stdin.close()
        code = self.process.wait(60)
        self.process.stdout.close()
        return code


class Prover:
    """Makes DPoP proofs. RFC 9449, 4.2."""

    def __init__(self, alg='ES256'):
        self.key, self.nonce = jose.Key(alg, 'proof'), None

    @property
    def public(self):
        return {name: value for name, value in self.key.jwk.items() if name not in ('use', 'alg', 'kid')}

    def proof(self, method, address, access_token=None, **changes):
        claims = {'jti': secrets.token_urlsafe(12), 'htm': method, 'htu': address, 'iat': int(time.time())}
        if self.nonce:
            claims['nonce'] = self.nonce
        if access_token:
            claims['ath'] = jose.b64(hashlib.sha256(access_token.encode()).digest())
        claims.update(changes)
        header = {'typ': 'dpop+jwt', 'alg': self.key.alg, 'jwk': self.public}
        return jose.compact(header, {name: value for name, value in claims.items() if value is not None}, self.key)


class RelyingParty:
    def __init__(self, process, client='public', prover=None):
        self.process, self.issuer, self.prover = process, process.issuer, prover
        known = process.clients.get(client, client)
        self.id, self.secret = known if isinstance(known, list) else (known, None)
        self.method = client if client in ('basic', 'post') else 'none'

    def at(self, path):
        return self.issuer + path

    def post(self, path, proves=False, **form):
        """A request in this client's name."""
        headers = {}
        if self.method == 'basic':
            pair = f'{quote_plus(self.id)}:{quote_plus(self.secret)}'
            headers['Authorization'] = 'Basic ' + base64.b64encode(pair.encode()).decode()
        else:
            form['client_id'] = self.id
            if self.secret:
                form['client_secret'] = self.secret
        if self.prover and proves:
            headers['DPoP'] = self.prover.proof('POST', self.at(path))
        return send('POST', self.at(path), form=form, headers=headers)

    def token(self, **form):
        """The token endpoint; a nonce that is asked for is given, once. RFC 9449, 8."""
        reply = self.post('/token', proves=True, **form)
        if self.prover and reply.json.get('error') == 'use_dpop_nonce':
            self.prover.nonce = reply.headers['DPoP-Nonce']
            reply = self.post('/token', proves=True, **form)
        return reply

    def request(self, **changes):
        """The parameters of an authorization request."""
        self.verifier, self.state, self.nonce = (secrets.token_urlsafe(32) for _ in range(3))
        challenge = jose.b64(hashlib.sha256(self.verifier.encode()).digest())
        parameters = {'response_type': 'code', 'client_id': self.id, 'redirect_uri': REDIRECT, 'scope': SCOPE,
                      'state': self.state, 'nonce': self.nonce, 'code_challenge': challenge,
                      'code_challenge_method': 'S256', **changes}
        return {name: value for name, value in parameters.items() if value is not None}

    def authorize(self, pushes=False, **changes):
        parameters = self.request(**changes)
        if pushes:
            pushed = self.post('/par', **parameters).json
            parameters = {'client_id': self.id, 'request_uri': pushed.get('request_uri', '')}
        return send('GET', self.at('/authorize') + '?' + urlencode(parameters))

    def redeem(self, code, **changes):
        form = {'grant_type': 'authorization_code', 'code': code, 'redirect_uri': REDIRECT,
                'code_verifier': self.verifier, **changes}
        return self.token(**{name: value for name, value in form.items() if value is not None})

    def sign_in(self, **changes):
        """Tokens, of a provider that does nothing wrong."""
        reply = self.redeem(dict(self.authorize(**changes).location)['code'])
        assert reply.status == 200, reply.body
        return reply.json

    def refresh(self, token):
        return self.token(grant_type='refresh_token', refresh_token=token)

    def userinfo(self, token, scheme=None, **changes):
        headers = {'Authorization': f'{scheme or ("DPoP" if self.prover else "Bearer")} {token}'}
        if self.prover:
            headers['DPoP'] = self.prover.proof('GET', self.at('/userinfo'), token, **changes)
        return send('GET', self.at('/userinfo'), headers=headers)

    def verified(self, token, keys=None):
        """Header and claims. Raises BadToken."""
        keys = keys if keys is not None else send('GET', self.at('/jwks')).json.get('keys', [])
        header, _ = jose.read(token)
        fitting = [key for key in keys if key.get('kid') == header.get('kid')]
        if len(fitting) != 1:
            raise jose.BadToken(f'{len(fitting)} keys fit')
        return jose.verify(token, fitting[0])
