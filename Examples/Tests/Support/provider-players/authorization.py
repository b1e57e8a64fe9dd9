"""The authorization endpoint. RFC 6749, 4.1; RFC 7636. The user is signed in and decides at once."""
import re
import time
from types import SimpleNamespace

from base import Family
from exchange import OAuthError, redirect, with_parameters

CODE_LIFE = 60


def authorize(player, request):
    parameters, address = request.parameters, None
    try:
        parameters.refuse_repeated()
        client = player.authorizing_client(request, parameters)
        request.client_id = client.id
        address = player.redirect_uri(client, parameters)
        family = _family(player, request, client, parameters)
        pairs = player.callback(family, _code(player, family, parameters), parameters)
    except OAuthError as error:
        address = address or getattr(error, 'address', None)
        # RFC 6749, 4.1.2.1: never redirect to an address that was not checked.
        if address is None or getattr(error, 'reason', '') in player.own_pages:
            return player.own_page(error)
        pairs = player.refused_callback(error, parameters)
    return redirect(with_parameters(player.landing(address), pairs))


def _family(player, request, client, parameters):
    """All that the user consents to. Raises OAuthError."""
    _check(player, parameters)
    words = (parameters['scope'] or '').split()
    if not words and player.scope_required:
        raise player.fail('missing', name='scope')
    granted = player.granted(client, words, parameters)
    if player.settings.consent == 'deny':
        raise player.fail('denied')
    family = Family(client, ' '.join(granted), int(player.now), parameters['nonce'],
                    redirect_uri=parameters['redirect_uri'], parameters=dict(parameters.pairs))
    player.authorized(family, request, parameters)
    return family


def _check(player, parameters):
    if parameters.required('response_type') != 'code':
        raise player.fail('response_type')
    if parameters['response_mode'] not in (None, 'query'):
        raise player.fail('response_mode')
    # Some providers do without these three. A client that leaves them out is wrong anyway. RFC 9700, 2.1.1.
    if parameters['state'] is None:
        raise player.fail('missing', name='state')
    if parameters['code_challenge_method'] != 'S256' or \
            not re.fullmatch('[A-Za-z0-9_-]{43}', parameters['code_challenge'] or ''):
        raise player.fail('pkce')
    prompts = (parameters['prompt'] or '').split()
    if not set(prompts) <= set(player.prompts) or 'none' in prompts and len(prompts) > 1:
        raise player.fail('bad_prompt')


def _code(player, family, parameters):
    player.families.append(family)
    code = player.secret('code')
    player.codes[code] = SimpleNamespace(
        family=family, challenge=parameters['code_challenge'], redirect_uri=parameters['redirect_uri'],
        until=time.monotonic() + CODE_LIFE, used=False)
    return code
