"""Authorization, also by requests pushed before. RFC 6749, 4.1; RFC 7636; RFC 9126; RFC 9207."""
import re
import time
from types import SimpleNamespace

import dpop
from exchange import OAuthError, Parameters, json_answer, page, redirect, with_parameters
from tokens import Family, granted

CODE_LIFE = 60
PUSHED_LIFE = 90
# What authenticates the client that pushes.
OF_CLIENT = ('client_id', 'client_secret', 'client_assertion', 'client_assertion_type')


def authorize(provider, request):
    parameters = request.parameters
    try:
        client = provider.clients.get(parameters.required('client_id'))
        if client is None:
            raise OAuthError('invalid_client', 'no such client')
        parameters = _taken(provider, client, parameters)
        address = _redirect_uri(client, parameters)
    except OAuthError as error:
        # RFC 6749, 4.1.2.1: never redirect to an address that was not checked.
        return page(f'{error.code}: {error.description}', 400)
    request.client_id = client.id
    try:
        code = _code(provider, client, parameters)
        pairs = [('code', code), ('state', parameters['state']), ('iss', provider.issuer)]
    except OAuthError as error:
        states = [value for name, value in parameters.pairs if name == 'state'][:1]
        pairs = [('error', error.code), ('error_description', error.description),
                 *(('state', state) for state in states), ('iss', provider.issuer)]
    return redirect(with_parameters(address, provider.spoil('callback', pairs)))


def push(provider, request):
    """RFC 9126, 2."""
    client = provider.clients.authenticate(request)
    if request.form['request_uri'] is not None:
        raise OAuthError('invalid_request', 'request_uri has no place here')
    thumbprint = dpop.proof(provider, request)
    _redirect_uri(client, request.form)
    _checked(request.form)
    pairs = [(name, value) for name, value in request.form.pairs if name not in OF_CLIENT]
    # RFC 9449, 10.1: a proof here binds the code as dpop_jkt does.
    if thumbprint and request.form['dpop_jkt'] not in (None, thumbprint):
        raise OAuthError('invalid_dpop_proof', 'dpop_jkt is another key')
    if thumbprint and request.form['dpop_jkt'] is None:
        pairs.append(('dpop_jkt', thumbprint))
    name = 'urn:ietf:params:oauth:request_uri:' + provider.secret('request_uri')
    provider.pushed[name] = (client.id, pairs, time.monotonic() + PUSHED_LIFE)
    content = provider.spoil('par', {'request_uri': name, 'expires_in': PUSHED_LIFE})
    return json_answer(content, 201, {'Cache-Control': 'no-store', **dpop.nonce_headers(provider)})


def _taken(provider, client, parameters):
    """The parameters themselves, or those that were pushed. RFC 9126, 4: of the others nothing counts."""
    name = parameters['request_uri']
    if name is None:
        if provider.settings.require_par:
            raise OAuthError('invalid_request', 'the request must be pushed: RFC 9126, 5')
        return parameters
    owner, pairs, until = provider.pushed.pop(name, (None, None, 0))
    if owner != client.id or until < time.monotonic():
        raise OAuthError('invalid_request_uri', 'unknown, used, expired, or another client\'s')
    return Parameters(pairs)


def _redirect_uri(client, parameters):
    address = parameters.required('redirect_uri')
    if not client.may_redirect(address):
        raise OAuthError('invalid_request', 'redirect_uri is neither loopback nor registered: RFC 8252, 7.3')
    return address


def _checked(parameters):
    """Raises OAuthError for what a strict provider refuses."""
    parameters.refuse_repeated()
    if parameters['request'] is not None:
        raise OAuthError('request_not_supported', 'request objects are not supported')
    if parameters.required('response_type') != 'code':
        raise OAuthError('unsupported_response_type', 'only code')
    if parameters['response_mode'] not in (None, 'query'):
        raise OAuthError('invalid_request', 'only the query response mode')
    parameters.required('state')
    parameters.required('nonce')
    if parameters.required('code_challenge_method') != 'S256' or \
            not re.fullmatch('[A-Za-z0-9_-]{43}', parameters.required('code_challenge')):
        raise OAuthError('invalid_request', 'PKCE S256 is required: RFC 7636')
    if 'openid' not in parameters.required('scope').split():
        raise OAuthError('invalid_scope', 'openid is missing')
    if not re.fullmatch('[0-9]{1,9}', parameters['max_age'] or '0'):
        raise OAuthError('invalid_request', 'max_age is no number')
    prompts = (parameters['prompt'] or '').split()
    if 'none' in prompts and len(prompts) > 1:
        raise OAuthError('invalid_request', 'none goes with no other prompt: OpenID Core, 3.1.2.1')


def _code(provider, client, parameters):
    _checked(parameters)
    provider.record.keep('state', parameters['state'])
    provider.record.keep('nonce', parameters['nonce'])
    code = provider.secret('code')
    family = Family(
        client, granted(parameters['scope']), int(provider.now), parameters['nonce'], provider.settings.person,
        acr=((parameters['acr_values'] or '').split() or ['0'])[0],
        max_age=int(parameters['max_age']) if parameters['max_age'] else None,
        thumbprint=parameters['dpop_jkt'])
    provider.codes[code] = SimpleNamespace(
        family=family, challenge=parameters['code_challenge'], redirect_uri=parameters['redirect_uri'],
        until=time.monotonic() + CODE_LIFE, used=False)
    return code
