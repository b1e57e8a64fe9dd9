"""The token endpoint. RFC 6749, 3.2; RFC 7636, 4.6; RFC 8628, 3.4."""
import hashlib
import hmac
import re
import time

import devices
import issuing
from base import CODE, REFRESH
from clients import DEVICE
from exchange import OAuthError
from jose import b64


def token(player, request):
    try:
        request.form.refuse_repeated()
        client = player.authenticate(request)
        grant = request.form.required('grant_type')
        action = {CODE: _code, REFRESH: _refresh, DEVICE: _device}.get(grant)
        if action is None:
            raise player.fail('unsupported_grant')
        if grant not in client.grants:
            raise player.fail('grant_not_allowed')
        content = action(player, request, client, player.proof(request, client))
    except OAuthError as error:
        return player.error_answer(error, request)
    return player.token_answer(content, request)


def _code(player, request, client, thumbprint):
    code = player.codes.get(request.form.required('code'))
    verifier = request.form['code_verifier'] or ''
    if code is None or code.family.client is not client or code.until < time.monotonic():
        raise player.fail('bad_code')
    if code.used:
        # RFC 6749, 4.1.2: what came of a code that is used twice SHOULD be revoked.
        player.end(code.family)
        raise player.fail('bad_code')
    code.used = True
    if request.form['redirect_uri'] != code.redirect_uri:
        raise player.fail('code_redirect')
    challenge = b64(hashlib.sha256(verifier.encode()).digest())
    if not re.fullmatch(r'[A-Za-z0-9\-._~]{43,128}', verifier) or not hmac.compare_digest(challenge, code.challenge):
        raise player.fail('bad_verifier')
    player.check_code(request, code)
    code.family.thumbprint = thumbprint
    return issuing.issue(player, code.family, request)


def _refresh(player, request, client, thumbprint):
    name = request.form['refresh_token']
    held = player.refresh_tokens.get(name)
    if held is None or held.family.client is not client or held.family.ended:
        raise player.fail('dead_refresh')
    if player.settings.refuse_refresh:
        raise player.fail('refused_refresh', code=player.settings.refuse_refresh)
    family = held.family
    player.check_refresh(request, family)
    # RFC 9449, 5: a refresh token of a public client is bound to its key.
    if family.thumbprint != thumbprint:
        raise OAuthError('invalid_dpop_proof', 'The refresh token is bound to another key.')
    player.token_scope(family, request)
    _use(player, family, held)
    family.used = time.monotonic()
    return issuing.issue(player, family, request, refreshing=True)


def _use(player, family, held):
    """Uses a refresh token up, by the provider's rule. RFC 9700, 4.14.2."""
    if player.rotation in ('keep', 'overlap'):
        return
    age = family.generation - held.generation
    if age == 0:
        family.generation, family.replaced = family.generation + 1, time.monotonic()
        return
    # While tokens overlap, only the one before is taken again.
    if age == 1 and player.rotation == 'reuse' and \
            time.monotonic() - family.replaced < player.settings.reuse_grace:
        return
    if player.rotation == 'reuse':
        player.end(family)
    raise player.fail('dead_refresh')


def _device(player, request, client, thumbprint):
    family = devices.poll(player, request.form.required('device_code'), client)
    family.thumbprint = thumbprint
    return issuing.issue(player, family, request)
