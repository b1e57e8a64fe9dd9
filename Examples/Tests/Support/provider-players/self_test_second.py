"""The rules of auth0, okta, keycloak, cognito and gitlab."""
import time
from urllib.parse import urlencode

import jose
from self_test_client import Prover
from self_test_party import api, expect, expect_refused, general, polls, send

OFFLINE = 'openid profile email offline_access'


def auth0(test):
    audience = test.place['audience']
    party = test.party(scope=OFFLINE + ' read:jobs unknown')
    assert test.place['issuer'].endswith('.com/') and party.metadata['issuer'] == test.place['issuer']
    tokens = party.sign_in()
    assert '.' not in tokens['access_token'][:20] and tokens['scope'] == OFFLINE
    expect(api(party.metadata['userinfo_endpoint'], tokens['access_token']), 200)
    assert api(test.place['api'], tokens['access_token']).status == 401
    own = party.sign_in(audience=audience)
    assert audience in jose.read(own['access_token'])[1]['aud'] and 'read:jobs' in own['scope']
    expect(api(test.place['api'], own['access_token']), 200)
    expect(api(party.metadata['userinfo_endpoint'], own['access_token']), 200)
    general(test.party(scope='openid', audience=audience))
    for redirect in ('http://127.0.0.1:8485/callback', 'http://localhost:8484/callback'):
        reply = party.authorize(redirect_uri=redirect)
        assert reply.status == 400 and b'Callback URL mismatch' in reply.body
    expect(party.authorize(audience='https://unknown/'), 302, 'access_denied')
    expect(party.redeem('unknown'), 403, 'invalid_grant')
    test.set(allow_offline_access=False)
    assert 'refresh_token' not in party.sign_in(audience=audience)
    test.set(allow_offline_access=True)
    rotates_with_grace(test, party, 403)
    tokens = party.sign_in()
    test.set(mfa_required=True)
    assert expect(party.refresh(tokens['refresh_token']), 403, 'mfa_required').json['mfa_token']
    test.set(mfa_required=False)
    assert party.post('revocation_endpoint', token=tokens['refresh_token']).status == 200
    expect(party.refresh(tokens['refresh_token']), 403, 'invalid_grant')
    expect(api(party.metadata['userinfo_endpoint'], tokens['access_token']), 200)
    assert party.metadata['end_session_endpoint'].endswith('/oidc/logout')
    device = test.party('device', scope=OFFLINE)
    polls(device, (403, 'authorization_pending'), (429, 'slow_down'), (403, 'access_denied'))
    expect(test.party('web').device(), 403, 'unauthorized_client')
    expect(device.device(client_secret='any'), 403, 'unauthorized_client')
    expect(party.device(), 403, 'unauthorized_client')
    web = test.party('web')
    web.sign_in()
    expect(web.redeem(web.callback()['code'], secret=None), 401, 'access_denied')


def rotates_with_grace(test, party, status):
    """Rotation: within the grace the token before is accepted; one older, or one later, ends the session."""
    test.set(reuse_grace=0)
    first = party.sign_in()['refresh_token']
    second = expect(party.refresh(first), 200).json['refresh_token']
    expect(party.refresh(first), status, 'invalid_grant')
    expect(party.refresh(second), status, 'invalid_grant')
    test.set(reuse_grace=60)
    first = party.sign_in()['refresh_token']
    second = expect(party.refresh(first), 200).json['refresh_token']
    sibling = expect(party.refresh(first), 200).json['refresh_token']
    third = expect(party.refresh(sibling), 200).json['refresh_token']
    assert len({first, second, sibling, third}) == 4
    expect(party.refresh(first), status, 'invalid_grant')
    expect(party.refresh(third), status, 'invalid_grant')
    test.set(reuse_grace=0, refuse_refresh='temporarily_unavailable')
    expect_refused(party.refresh(party.sign_in()['refresh_token']))
    test.set(refuse_refresh=None)


def okta(test):
    party = test.party(scope=OFFLINE)
    general(party)
    reply = party.authorize(redirect_uri='http://127.0.0.1:8485/callback')
    assert reply.status == 400 and b'Login redirect URI' in reply.body
    expect(party.authorize(scope='openid unknown'), 302, 'invalid_scope')
    assert 'refresh_token' not in party.sign_in(scope='openid')
    assert test.set()['settings']['reuse_grace'] == 30
    rotates_with_grace(test, party, 400)
    reply = party.redeem('x', client_id='unknown')
    assert reply.status == 401 and reply.json['errorCode'] == 'invalid_client'
    reply = api(party.metadata['userinfo_endpoint'], 'unknown')
    assert reply.status == 401 and reply.body == b'' and 'error="invalid_token"' in reply.headers['WWW-Authenticate']
    polls(test.party('device', scope=OFFLINE), (400, 'authorization_pending'), (400, 'slow_down'),
          (400, 'access_denied'))
    okta_dpop(test)
    tokens = party.sign_in()
    hint = {'id_token_hint': tokens['id_token'], 'post_logout_redirect_uri': 'http://127.0.0.1:8484/', 'state': 's'}
    reply = send(party.metadata['end_session_endpoint'] + '?' + urlencode(hint))
    assert reply.status == 302 and reply.headers['Location'] == 'http://127.0.0.1:8484/?state=s'
    expect(party.refresh(tokens['refresh_token']), 200)


def okta_dpop(test):
    party = test.party('dpop', scope=OFFLINE)
    expect(party.redeem(party.callback()['code']), 400, 'invalid_dpop_proof')
    party.prover = Prover()
    code = party.callback()['code']
    reply = expect(party.redeem(code), 400, 'use_dpop_nonce')
    first = reply.headers['DPoP-Nonce']
    tokens = expect(party.redeem(code), 200).json
    assert tokens['token_type'] == 'DPoP'
    test.set(nonce_uses=1)
    # The nonce was good for that many proofs. The next refusal brings another one.
    expect(party.refresh(tokens['refresh_token']), 400, 'use_dpop_nonce')
    assert party.prover.nonce != first
    tokens = expect(party.refresh(tokens['refresh_token']), 200).json
    proof = party.prover.proof('GET', test.place['api'], tokens['access_token'])
    expect(api(test.place['api'], tokens['access_token'], {'DPoP': proof}, 'DPoP'), 200)
    assert api(test.place['api'], tokens['access_token']).status == 401
    test.set(nonce_uses=1000)
    party.prover = Prover()
    expect(party.refresh(tokens['refresh_token']), 400, 'use_dpop_nonce')
    expect(party.refresh(tokens['refresh_token']), 400, 'invalid_dpop_proof')


def keycloak(test):
    party = test.party(redirect='http://127.0.0.1:49152/callback')
    general(party)
    callback = party.callback()
    assert callback['iss'] == test.place['issuer'] and callback['session_state']
    for redirect in ('http://[::1]:49152/callback', 'http://localhost:49152/callback', 'http://127.0.0.1:1/other'):
        assert b'Invalid parameter: redirect_uri' in party.authorize(redirect_uri=redirect).body
    expect(party.authorize(scope='openid unknown'), 302, 'invalid_scope')
    # A refresh token comes without offline_access; the old one stays good, unless the realm revokes it.
    tokens = party.sign_in()
    assert tokens['refresh_expires_in'] == 1800 and tokens['expires_in'] == 300
    second = expect(party.refresh(tokens['refresh_token']), 200).json
    expect(party.refresh(tokens['refresh_token']), 200)
    test.set(revoke_refresh_token=True)
    expect(party.refresh(second['refresh_token']), 200)
    expect(party.refresh(second['refresh_token']), 400, 'invalid_grant')
    test.set(revoke_refresh_token=False, session_idle=0.2)
    tokens, offline = party.sign_in(), party.sign_in(scope=OFFLINE)
    assert offline['refresh_expires_in'] == 0
    time.sleep(0.4)
    said = expect(party.refresh(tokens['refresh_token']), 400, 'invalid_grant').json
    assert said['error_description'] == 'Session not active'
    expect(party.refresh(offline['refresh_token']), 200)
    test.set(session_idle=1800, offline_role=False)
    expect(party.redeem(party.callback(scope=OFFLINE)['code']), 400, 'not_allowed')
    test.set(offline_role=True)
    # Signing out ends the session, but no offline session.
    tokens, offline = party.sign_in(), party.sign_in(scope=OFFLINE)
    end = party.metadata['end_session_endpoint'] + '?'
    assert b'log out?' in send(end).body
    expect(party.refresh(tokens['refresh_token']), 200)
    hint = {'id_token_hint': tokens['id_token'], 'post_logout_redirect_uri': 'http://127.0.0.1:7/callback'}
    assert send(end + urlencode(hint)).status == 302
    expect(party.refresh(tokens['refresh_token']), 400, 'invalid_grant')
    expect(party.refresh(offline['refresh_token']), 200)
    assert party.post('revocation_endpoint', token=offline['refresh_token']).status == 200
    expect(party.refresh(offline['refresh_token']), 400, 'invalid_grant')
    no_openid = party.sign_in(scope='profile')
    assert 'id_token' not in no_openid
    assert api(party.metadata['userinfo_endpoint'], no_openid['access_token']).status == 403
    expect(party.device(), 400, 'unauthorized_client')
    polls(test.party('device'), (400, 'authorization_pending'), (400, 'slow_down'), (400, 'access_denied'))


def cognito(test):
    party = test.party()
    general(party)
    assert 'acme.auth.eu-west-1' in party.metadata['token_endpoint'] and 'cognito-idp' in party.metadata['jwks_uri']
    assert {'revocation_endpoint', 'end_session_endpoint'} <= set(party.metadata)
    reply = expect(party.authorize(scope=OFFLINE), 302, 'invalid_request')
    assert dict(reply.location)['error_description'] == 'invalid_scope'
    assert reply.headers['Location'].startswith('http://localhost:8484/callback?')
    for redirect in ('http://127.0.0.1:8484/callback', 'http://localhost:8485/callback'):
        reply = expect(party.authorize(redirect_uri=redirect), 302, 'redirect_mismatch')
        assert reply.headers['Location'].startswith('https://acme.auth.eu-west-1.amazoncognito.com/error?')
        assert send(reply.headers['Location']).status == 400
    tokens = party.sign_in()
    assert tokens['refresh_token'] and 'scope' not in tokens
    assert party.verified(tokens['id_token'])['token_use'] == 'id'
    access = jose.read(tokens['access_token'])[1]
    assert access['token_use'] == 'access' and access['client_id'] == party.client['client_id'] and 'aud' not in access
    for _ in range(2):
        renewed = expect(party.refresh(tokens['refresh_token']), 200).json
        assert 'refresh_token' not in renewed and renewed['id_token']
    found = expect(api(party.metadata['userinfo_endpoint'], tokens['access_token']), 200).json
    assert found['email_verified'] == 'true'
    no_openid = party.sign_in(scope='profile')
    for token in (no_openid['access_token'], 'unknown'):
        reply = api(party.metadata['userinfo_endpoint'], token)
        assert reply.status == 401 and reply.headers['WWW-Authenticate'].startswith('error="invalid_token"')
    logout = party.metadata['end_session_endpoint'] + '?'
    assert send(logout + urlencode({'id_token_hint': tokens['id_token']})).status == 400
    good = {'client_id': party.client['client_id'], 'logout_uri': 'http://localhost:8484/'}
    assert send(logout + urlencode(good)).headers['Location'] == 'http://localhost:8484/'
    expect(party.post('revocation_endpoint', token=tokens['access_token']), 400, 'unsupported_token_type')
    assert expect(party.post('revocation_endpoint', token=tokens['refresh_token']), 200).body == b''
    expect(party.refresh(tokens['refresh_token']), 400, 'invalid_grant')
    test.set(rotates=True)
    tokens = party.sign_in()
    assert expect(party.refresh(tokens['refresh_token']), 200).json['refresh_token']
    expect(party.refresh(tokens['refresh_token']), 400, 'invalid_grant')


def gitlab(test):
    redirect = 'http://127.0.0.1:49152/callback'
    party = test.party(redirect=redirect, scope='openid profile email read_user')
    general(party)
    for changes, code in (({'scope': OFFLINE}, b'invalid_scope'), ({'client_id': 'unknown'}, b'invalid_client'),
                          ({'redirect_uri': 'http://localhost:49152/callback'}, b'invalid_redirect_uri'),
                          ({'redirect_uri': 'http://127.0.0.1:49152/other'}, b'invalid_redirect_uri')):
        reply = party.authorize(**changes)
        assert reply.status == 200 and reply.type == 'text/html' and code in reply.body
    tokens = party.sign_in()
    assert tokens['created_at'] and tokens['expires_in'] == 7200 and tokens['refresh_token']
    claims = party.verified(tokens['id_token'])
    assert claims['exp'] - claims['iat'] == 120
    expect(api(test.place['api'], tokens['access_token']), 200)
    expect(party.refresh(tokens['refresh_token'], redirect_uri='http://127.0.0.1:1/callback'), 400, 'invalid_grant')
    second = expect(party.refresh(tokens['refresh_token'], redirect_uri=redirect), 200).json
    assert api(test.place['api'], tokens['access_token']).status == 401
    expect(party.refresh(tokens['refresh_token']), 400, 'invalid_grant')
    # Its reuse ends nothing else.
    expect(api(test.place['api'], second['access_token']), 200)
    reply = api(test.place['api'], party.sign_in(scope='openid')['access_token'])
    expect(reply, 403, 'insufficient_scope')
    assert expect(party.post('revocation_endpoint', token=second['refresh_token']), 200).json == {}
    expect(party.refresh(second['refresh_token']), 400, 'invalid_grant')
    assert 'device_code' in party.metadata['grant_types_supported']
    assert 'device_authorization_endpoint' not in party.metadata and 'end_session_endpoint' not in party.metadata
    metadata = {**party.metadata, 'device_authorization_endpoint': test.place['device_endpoint']}
    polls(test.party('device', metadata=metadata), (400, 'authorization_pending'), (400, 'slow_down'),
          (400, 'access_denied'))
