"""Flows of the self-test: clients and workloads with assertions. RFC 7521; RFC 7523."""
import secrets
import time

import jose
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from self_test_client import RelyingParty

TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer'


class ClientKey(jose.Key):
    def __init__(self, alg, pem):
        self.alg, self.kid, self.private = alg, None, load_pem_private_key(pem.encode(), None)


def assertions(process):
    for name, alg, audience in (('ec', 'ES256', process.issuer), ('rsa', 'PS256', process.issuer + '/token')):
        client, pem = process.clients[name]
        right = _signed(alg, pem, client, audience)
        _accepted(process, client, right)
        _refused(process, client, right)
        for changes in ({'aud': 'https://provider.example'}, {'aud': [audience]}, {'iss': 'native'}, {'sub': 'native'},
                        {'exp': int(time.time()) - 1}, {'exp': None}, {'exp': int(time.time()) + 7200}, {'jti': None}):
            _refused(process, client, _signed(alg, pem, client, audience, **changes))
        stranger = jose.Key(alg, 'stranger')
        _refused(process, client, _signed(alg, stranger.private_pem, client, audience))
    rsa = process.clients['rsa'][1]
    _refused(process, 'web-rsa', _signed('RS256', rsa, 'web-rsa', process.issuer + '/token'))
    assert RelyingParty(process, 'web-ec').token(grant_type='client_credentials').json['error'] == 'invalid_client'


def workloads(process):
    token, past = (process.get(f'/_workload-token?life={life}')['token'] for life in (600, -1))
    # A file is read again and again.
    for _ in range(2):
        _accepted(process, 'web-workload', token)
    _refused(process, 'web-workload', past)
    _refused(process, 'web-ec', token)


def assertion_grants(process):
    name, pem = process.clients['service']
    for client, assertion in (
            (name, _signed('ES256', pem, name, process.issuer, sub='jane')),
            ('workload', process.get('/_workload-token')['token'])):
        tokens = _without_secret(process, client).token(grant_type=JWT_BEARER, assertion=assertion, scope='email').json
        assert set(tokens) == {'access_token', 'token_type', 'expires_in', 'scope'}, tokens
        reply = RelyingParty(process).token(grant_type=JWT_BEARER, assertion=assertion)
        assert reply.json['error'] == 'invalid_grant', reply.body
    for subject in (name, None):
        refused = _signed('ES256', pem, name, process.issuer, sub=subject)
        reply = _without_secret(process, name).token(grant_type=JWT_BEARER, assertion=refused)
        assert reply.json['error'] == 'invalid_grant', reply.body


def other_resources(process):
    party = RelyingParty(process)
    token = party.sign_in()['refresh_token']
    token = party.token(grant_type='refresh_token', refresh_token=token, resource='https://billing.example').json
    reply = party.token(grant_type='refresh_token', refresh_token=token['refresh_token'], resource='https://a.example')
    assert reply.json['error'] == 'invalid_target', reply.body
    program = RelyingParty(process, 'basic')
    reply = program.token(grant_type='client_credentials', resource='https://billing.example')
    assert reply.status == 200, reply.body
    reply = program.token(grant_type='client_credentials', resource='https://a.example')
    assert reply.json['error'] == 'invalid_target', reply.body


def _without_secret(process, client):
    party = RelyingParty(process, client)
    party.secret = None
    return party


def _signed(alg, pem, client, audience, **changes):
    now = int(time.time())
    claims = {'iss': client, 'sub': client, 'aud': audience, 'iat': now, 'exp': now + 60,
              'jti': secrets.token_urlsafe(12), **changes}
    claims = {name: value for name, value in claims.items() if value is not None}
    return jose.compact({'alg': alg}, claims, ClientKey(alg, pem))


def _send(process, client, assertion):
    return RelyingParty(process, client).token(grant_type='client_credentials', client_assertion_type=TYPE,
                                               client_assertion=assertion)


def _accepted(process, client, assertion):
    reply = _send(process, client, assertion)
    assert reply.status == 200, reply.body


def _refused(process, client, assertion):
    reply = _send(process, client, assertion)
    assert reply.status == 401 and reply.json['error'] == 'invalid_client', reply.body


FLOWS = [assertions, workloads, assertion_grants, other_resources]
