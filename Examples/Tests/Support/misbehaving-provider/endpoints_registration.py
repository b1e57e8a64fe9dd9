"""Dynamic registration. RFC 7591; OpenID Dynamic Client Registration 1.0."""
import json
import secrets
from urllib.parse import urlsplit

from clients import GRANTS, REGISTRABLE, Client, is_loopback
from exchange import NO_STORE, OAuthError, json_answer
from jose import ALGORITHMS


def register(provider, request):
    wishes = _wishes(request)
    # RFC 7591, 2: what is left out has these values. A client without a secret says `none`.
    method = wishes.get('token_endpoint_auth_method', 'client_secret_basic')
    grants = wishes.get('grant_types', ['authorization_code'])
    responses = wishes.get('response_types', ['code'] if 'authorization_code' in grants else [])
    addresses = wishes.get('redirect_uris', [])
    returns = wishes.get('post_logout_redirect_uris', [])
    alg = wishes.get('id_token_signed_response_alg', 'RS256')
    if method not in REGISTRABLE:
        raise _refused('token_endpoint_auth_method')
    if not _are_words(grants) or not set(grants) <= set(GRANTS) or not _are_words(responses) or \
            responses != (['code'] if 'authorization_code' in grants else []):
        raise _refused('grant_types or response_types')
    if alg not in ALGORITHMS:
        raise _refused('id_token_signed_response_alg')
    for one in (addresses, returns):
        if not _are_words(one) or not all(_may_be_registered(address) for address in one):
            raise OAuthError('invalid_redirect_uri', 'https, loopback http, or a scheme of the app\'s with a dot')
    if 'authorization_code' in grants and not addresses:
        raise OAuthError('invalid_redirect_uri', 'redirect_uris is missing: RFC 7591, 2')
    has_secret = method != 'none'
    client = Client('client-' + secrets.token_hex(8), method, provider.secret('client_secret') if has_secret else None,
                    addresses, returns, grants, alg)
    provider.clients.add(client)
    request.client_id = client.id
    content = {**wishes, 'client_id': client.id, 'client_id_issued_at': int(provider.now), 'grant_types': grants,
               'response_types': responses, 'redirect_uris': addresses, 'token_endpoint_auth_method': method,
               'id_token_signed_response_alg': alg}
    if has_secret:
        # RFC 7591, 3.2.1: required beside a secret; 0 for one that does not expire.
        content.update(client_secret=client.secret, client_secret_expires_at=0)
    return json_answer(content, 201, NO_STORE)


def _wishes(request):
    if request.content_type != 'application/json':
        raise _refused('the content type')
    try:
        wishes = json.loads(request.body)
    except ValueError as error:
        raise _refused('no JSON') from error
    if not isinstance(wishes, dict):
        raise _refused('no object')
    # The server gives these; a client can't wish for them.
    return {name: value for name, value in wishes.items() if not name.startswith(('client_id', 'client_secret'))}


def _are_words(value):
    return isinstance(value, list) and all(isinstance(word, str) for word in value)


def _may_be_registered(address):
    try:
        parts = urlsplit(address)
    except ValueError:
        return False
    # RFC 8252, 7.1: a scheme of one's own is a domain turned round; `recipe` is the one that has none.
    return is_loopback(address) or parts.scheme == 'https' and bool(parts.netloc) or \
        '.' in parts.scheme or parts.scheme == 'recipe'


def _refused(what):
    return OAuthError('invalid_client_metadata', f'refused: {what}')
