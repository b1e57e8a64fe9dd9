"""How a session ends: revocation (RFC 7009) and sign-out (OpenID RP-Initiated Logout 1.0)."""
import jose
import tokens
from exchange import Answer, NO_STORE, OAuthError, page, redirect, with_parameters


def revoke(provider, request):
    request.form.refuse_repeated()
    client = provider.clients.authenticate(request)
    token = request.form.required('token')
    family = provider.refresh_tokens.get(token)
    access = provider.access_tokens.get(token)
    owner = family or access and access.family
    if owner and owner.client is not client:
        # RFC 7009, 2.1: another client's token is refused.
        raise OAuthError('invalid_grant', 'the token is another client\'s')
    if family:
        # The access tokens of the same grant go with it.
        tokens.end(provider, family)
    provider.access_tokens.pop(token, None)
    # RFC 7009, 2.2: 200 for an unknown token, too.
    return Answer(200, headers=dict(NO_STORE))


def end_session(provider, request):
    parameters = request.parameters
    try:
        parameters.refuse_repeated()
        client = _client(provider, parameters)
        address = parameters['post_logout_redirect_uri']
        if address is None:
            return page('You are signed out.')
        if client is None or not client.may_return(address):
            raise OAuthError('invalid_request', 'post_logout_redirect_uri is not registered')
    except OAuthError as error:
        return page(f'{error.code}: {error.description}', 400)
    request.client_id = client.id
    state = parameters['state']
    return redirect(with_parameters(address, [('state', state)] if state else []))


def _client(provider, parameters):
    """Whose person signs out: section 2. The hint may have expired, but must be this provider's."""
    hint, name = parameters['id_token_hint'], parameters['client_id']
    if hint is None:
        return provider.clients.get(name)
    try:
        header, _ = jose.read(hint)
        jwk = next(jwk for jwk in provider.keys.published(provider.alg()) if jwk['kid'] == header.get('kid'))
        _, claims = jose.verify(hint, jwk)
    except (jose.BadToken, StopIteration) as error:
        raise OAuthError('invalid_request', 'id_token_hint is not from here') from error
    if claims.get('iss') != provider.issuer or name not in (None, claims.get('aud')):
        raise OAuthError('invalid_request', 'id_token_hint is another client\'s')
    return provider.clients.get(claims.get('aud'))
