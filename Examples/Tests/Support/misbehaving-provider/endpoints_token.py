"""The token endpoint. RFC 6749, 3.2 and 4.4; RFC 7523, 2.1; RFC 7636, 4.6; RFC 8628, 3.4; RFC 8693, 2; RFC 8707, 2.2;
RFC 9449, 5."""
import hashlib
import hmac
import re
import time

import assertions
import dpop
import endpoints_device
import tokens
from clients import DEVICE, EXCHANGE, JWT_BEARER
from exchange import NO_STORE, OAuthError, json_answer
from jose import b64

BILLING = 'https://billing.example'


def token(provider, request):
    request.form.refuse_repeated()
    client = provider.clients.authenticate(request)
    grant = request.form.required('grant_type')
    action = {'authorization_code': _code, 'refresh_token': _refresh, DEVICE: _device,
              'client_credentials': _client, EXCHANGE: _exchange, JWT_BEARER: _assertion}.get(grant)
    if action is None:
        raise OAuthError('unsupported_grant_type', 'no such grant')
    if grant not in client.grants:
        raise OAuthError('unauthorized_client', 'the client has not registered this grant: RFC 7591, 2')
    thumbprint = dpop.proof(provider, request)
    answer = action(provider, request, client, thumbprint)
    return json_answer(answer, headers={**NO_STORE, **dpop.nonce_headers(provider)})


def _code(provider, request, client, thumbprint):
    name, verifier = request.form.required('code'), request.form.required('code_verifier')
    code = provider.codes.get(name)
    if code is None or code.family.client is not client or code.until < time.monotonic():
        raise OAuthError('invalid_grant', 'no such code')
    if code.used:
        # RFC 6749, 4.1.2: what came of a code that is used twice SHOULD be revoked.
        tokens.end(provider, code.family)
        raise OAuthError('invalid_grant', 'the code was used before')
    code.used = True
    if request.form.required('redirect_uri') != code.redirect_uri:
        raise OAuthError('invalid_grant', 'redirect_uri is not the one of the request')
    challenge = b64(hashlib.sha256(verifier.encode()).digest())
    if not re.fullmatch(r'[A-Za-z0-9\-._~]{43,128}', verifier) or not hmac.compare_digest(challenge, code.challenge):
        raise OAuthError('invalid_grant', 'the verifier does not fit')
    if code.family.thumbprint not in (None, thumbprint):
        raise OAuthError('invalid_dpop_proof', 'the code is bound to another key')
    code.family.thumbprint = thumbprint
    return tokens.issue(provider, code.family, request)


def _refresh(provider, request, client, thumbprint):
    name = request.form.required('refresh_token')
    family = provider.refresh_tokens.get(name)
    if family is None or family.client is not client:
        raise OAuthError('invalid_grant', 'no such refresh token')
    # RFC 6749, 6: not more than was granted. Less is not kept apart here, so it is refused.
    scope = request.form['scope']
    if scope is not None and set(scope.split()) != set(family.scope.split()):
        raise OAuthError('invalid_scope', 'another scope than was granted')
    _check_target(request)
    # RFC 9449, 5: bound for clients without a secret; with one, the client may change its key.
    if family.thumbprint and (thumbprint is None or not client.is_confidential and thumbprint != family.thumbprint):
        raise OAuthError('invalid_dpop_proof', 'the refresh token is bound to another key')
    if family.thumbprint:
        family.thumbprint = thumbprint
    return tokens.refresh(provider, family, name, request)


def _device(provider, request, client, thumbprint):
    family = endpoints_device.poll(provider, request.form.required('device_code'), client)
    family.thumbprint = thumbprint
    return tokens.issue(provider, family, request)


def _client(provider, request, client, thumbprint):
    # RFC 6749, 4.4: MUST only be used by confidential clients. 4.4.3: no refresh token, and no user signed in.
    if not client.is_confidential:
        raise OAuthError('unauthorized_client', 'a client without a secret')
    scope = request.form['scope'] or ''
    if set(scope.split()) - {'profile', 'email'}:
        raise OAuthError('invalid_scope', 'not for a client')
    _check_target(request)
    family = tokens.Family(client, scope, int(provider.now), thumbprint=thumbprint)
    return tokens.issue(provider, family, request)


def _assertion(provider, request, client, thumbprint):
    assertions.grant(provider, client, request.form.required('assertion'))
    scope = request.form['scope'] or ''
    if set(scope.split()) - {'profile', 'email'}:
        raise OAuthError('invalid_scope', 'not for an assertion')
    _check_target(request)
    family = tokens.Family(client, scope, int(provider.now), thumbprint=thumbprint)
    return tokens.issue(provider, family, request)


def _check_target(request):
    # RFC 8707, 2.2. One other API is known; what is granted for it does not count for the rest.
    if request.form['resource'] not in (None, BILLING):
        raise OAuthError('invalid_target', 'no such API')


def _exchange(provider, request, client, thumbprint):
    # RFC 8693, 2.1 and 2.2.2. One other API is known.
    subject = provider.access_tokens.get(request.form.required('subject_token'))
    if subject is None or subject.family.client is not client or subject.until < time.monotonic():
        raise OAuthError('invalid_request', 'no such subject token')
    if subject.family.thumbprint != thumbprint:
        raise OAuthError('invalid_dpop_proof', 'the subject token is bound to another key')
    if request.form['audience'] != 'billing':
        raise OAuthError('invalid_target', 'no such API')
    family = tokens.Family(client, request.form['scope'] or 'profile', subject.family.auth_time, thumbprint=thumbprint)
    answer = tokens.issue(provider, family, request)
    return {**answer, 'issued_token_type': 'urn:ietf:params:oauth:token-type:access_token'}
