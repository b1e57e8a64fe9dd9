"""Metadata, keys, userinfo and other protected resources, revocation, sign-out."""
import time

import dpop
import jose
from exchange import NO_STORE, OAuthError, json_answer, page, redirect, with_parameters


def discovery(player, request):
    """OpenID Discovery 1.0, 3; RFC 8414, 2."""
    published = {name: url for name, url in player.endpoints.items() if name not in player.unpublished}
    return json_answer({'issuer': player.issuer, **published, **player.metadata})


def keys(player, request):
    player.keys.signing('RS256')
    held = [*player.keys.current.values(), *player.keys.former]
    return json_answer({'keys': [key.jwk for key in held]}, headers={'Cache-Control': 'public, max-age=3600'})


def bearer(player, request, audience=None):
    """What is known of the access token of a request. RFC 6750, 2.1; RFC 9449, 7."""
    scheme, token = request.authorization
    held = player.access_tokens.get(token)
    # A token in a query or form ends in logs: RFC 9700, 4.3.2.
    if held is None or held.until < time.monotonic() or held.family.ended or 'access_token' in request.query.names:
        raise player.fail('bad_token')
    bound = held.family.thumbprint
    if scheme.lower() != ('dpop' if bound else 'bearer'):
        raise player.fail('bad_token')
    if bound and _thumbprint(player, request, token) != bound:
        raise player.fail('bad_token')
    if audience is not None and held.audience != audience:
        raise player.fail('bad_token')
    return held


def _thumbprint(player, request, token):
    required, player.settings.require_dpop_nonce = player.settings.require_dpop_nonce, False
    try:
        return dpop.proof(player, request, token)
    except OAuthError as error:
        headers = {'WWW-Authenticate': dpop.challenge(error.code, error.description)}
        raise OAuthError(error.code, error.description, 401, headers) from error
    finally:
        player.settings.require_dpop_nonce = required


def userinfo(player, request):
    """OpenID Core, 5.3."""
    held = bearer(player, request)
    if 'openid' not in held.scope.split():
        raise player.fail('no_openid')
    return json_answer(player.claims_for(held.scope), headers=NO_STORE)


def jobs(player, request):
    """An API that accepts the access tokens of the provider."""
    held = bearer(player, request, player.api_audience)
    return json_answer({'jobs': ['build', 'deploy'], 'user': player.user['sub'], 'scope': held.scope})


def revoke(player, request):
    """RFC 7009, 2."""
    try:
        request.form.refuse_repeated()
        return player.revoke(request, request.form.required('token'))
    except OAuthError as error:
        return player.error_answer(error, request)


def end_session(player, request):
    """OpenID RP-Initiated Logout 1.0, 2."""
    parameters = request.parameters
    hint, address = parameters['id_token_hint'], parameters['post_logout_redirect_uri']
    try:
        _, claims = jose.verify(hint or '', player.keys.signing('RS256').jwk)
        client = player.clients.get(claims['aud'])
    except (jose.BadToken, KeyError):
        return player.own_page(OAuthError('invalid_request', 'The parameter id_token_hint is missing or wrong.'))
    request.client_id = client.id
    if address and not client.may_return(address):
        return player.own_page(OAuthError('invalid_request', 'The post_logout_redirect_uri is not registered.'))
    player.signed_out(claims)
    if address is None:
        return page('You are signed out.')
    return redirect(with_parameters(address, [('state', parameters['state'])] if parameters['state'] else []))
