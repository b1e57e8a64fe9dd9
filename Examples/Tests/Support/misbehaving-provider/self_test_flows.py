"""What a correct provider does, and what it refuses: run with no fault set."""
import hashlib
import time
from email.utils import parsedate_to_datetime
from urllib.parse import urlencode

import jose
from self_test_client import REDIRECT, SCOPE, Prover, RelyingParty
from self_test_http import send

DEVICE = 'urn:ietf:params:oauth:grant-type:device_code'


def expect(is_so, *seen):
    if not is_so:
        raise AssertionError(*[getattr(one, 'body', one) for one in seen])


def refused(reply, error, status=400):
    expect(reply.status == status and reply.json.get('error') == error, reply)


def sign_in_and_userinfo(process):
    for client in ('public', 'basic', 'post'):
        party = RelyingParty(process, client)
        answer = party.authorize(max_age='300')
        expect(answer.status == 302 and answer.headers['Location'].startswith(REDIRECT + '?'), answer)
        response = dict(answer.location)
        expect(response['state'] == party.state and response['iss'] == process.issuer, response)
        reply = party.redeem(response['code'])
        tokens = reply.json
        expect(reply.headers['Cache-Control'] == 'no-store' and tokens['token_type'] == 'Bearer', reply)
        expect(tokens['expires_in'] == 3600 and tokens['scope'] == SCOPE, reply)
        _, claims = party.verified(tokens['id_token'])
        expect(claims['iss'] == process.issuer and claims['aud'] == party.id and claims['nonce'] == party.nonce, claims)
        expect(abs(claims['iat'] - time.time()) < 10 and claims['exp'] > claims['iat'] >= claims['auth_time'], claims)
        half = hashlib.sha256(tokens['access_token'].encode()).digest()[:16]
        expect(claims['at_hash'] == jose.b64(half), claims)
        info = party.userinfo(tokens['access_token'])
        expect(info.status == 200 and info.json['sub'] == claims['sub'] and info.json['email'], info)
        expect(abs(parsedate_to_datetime(info.headers['Date']).timestamp() - time.time()) < 10, info.headers)


def every_algorithm(process):
    party = RelyingParty(process)
    for alg in jose.ALGORITHMS:
        process.control(alg=alg)
        header, _ = party.verified(party.sign_in()['id_token'])
        expect(header['alg'] == alg, header)
    process.control(alg='RS256')


def authorization_refuses(process):
    party = RelyingParty(process)
    for name in ('response_type', 'state', 'nonce', 'code_challenge', 'code_challenge_method', 'scope'):
        response = dict(party.authorize(**{name: None}).location)
        expect(response['error'] == 'invalid_request' and 'code' not in response, response)
    plain = dict(party.authorize(code_challenge_method='plain').location)
    expect(plain['error'] == 'invalid_request', plain)
    for address in ('https://provider.example/cb', 'http://127.0.0.1.example/cb', 'http://a@127.0.0.1/cb', 'other:/cb'):
        expect(party.authorize(redirect_uri=address).status == 400, address)
    for address in ('http://[::1]:1/x', 'http://localhost:2/y', 'recipe://callback'):
        expect(party.authorize(redirect_uri=address).headers['Location'].startswith(address + '?'), address)
    twice = urlencode([*party.request().items(), ('state', 'again')])
    expect('invalid_request' in send('GET', party.at('/authorize?') + twice).headers['Location'])
    expect(party.authorize(client_id='nobody').status == 400)


def codes_are_for_one_use(process):
    party = RelyingParty(process)
    code = dict(party.authorize().location)['code']
    refused(RelyingParty(process, 'basic').post('/token', grant_type='authorization_code', code=code,
                                                redirect_uri=REDIRECT, code_verifier=party.verifier), 'invalid_grant')
    tokens = party.redeem(code).json
    refused(party.redeem(code), 'invalid_grant')
    expect(party.userinfo(tokens['access_token']).status == 401)
    for changes in ({'code_verifier': 'a' * 43}, {'redirect_uri': REDIRECT + '/other'}):
        refused(party.redeem(dict(party.authorize().location)['code'], **changes), 'invalid_grant')
    refused(party.redeem(dict(party.authorize().location)['code'], code_verifier=None), 'invalid_request')


def client_authentication_is_strict(process):
    basic, post = RelyingParty(process, 'basic'), RelyingParty(process, 'post')
    basic.method, post.method = 'post', 'basic'
    for party in (basic, post):
        refused(party.redeem(dict(party.authorize().location)['code']), 'invalid_client', 401)
    wrong = RelyingParty(process, 'post')
    wrong.secret = 'wrong'
    refused(wrong.refresh('any'), 'invalid_client', 401)
    both = RelyingParty(process, 'basic')
    refused(both.post('/token', grant_type='refresh_token', client_secret='x', refresh_token='x'), 'invalid_request')


def refresh_rotates(process):
    party = RelyingParty(process)
    first = party.sign_in()
    reply = party.refresh(first['refresh_token'])
    second = reply.json
    expect(second['refresh_token'] != first['refresh_token'], reply)
    _, claims = party.verified(second['id_token'])
    expect('nonce' not in claims and claims['aud'] == party.id, claims)
    # The grace window: the same answer again.
    expect(party.refresh(first['refresh_token']).json == second)
    third = party.refresh(second['refresh_token']).json
    # Two behind: used again, and the family ends.
    refused(party.refresh(first['refresh_token']), 'invalid_grant')
    refused(party.refresh(third['refresh_token']), 'invalid_grant')
    expect(party.userinfo(third['access_token']).status == 401)
    process.control(grace=0)
    first = party.sign_in()
    second = party.refresh(first['refresh_token']).json
    time.sleep(0.01)
    refused(party.refresh(first['refresh_token']), 'invalid_grant')
    refused(party.refresh(second['refresh_token']), 'invalid_grant')
    process.control(grace=10)
    refused(RelyingParty(process, 'basic').refresh(party.sign_in()['refresh_token']), 'invalid_grant')
    expect('refresh_token' not in party.sign_in(scope='openid'))


def userinfo_wants_the_field(process):
    party = RelyingParty(process)
    token = party.sign_in()['access_token']
    refused(send('GET', party.at('/userinfo?access_token=' + token)), 'invalid_request')
    refused(send('POST', party.at('/userinfo'), form={'access_token': token}), 'invalid_request')
    expect(send('GET', party.at('/userinfo')).headers['WWW-Authenticate'].startswith('Bearer'))
    refused(party.userinfo(token, 'DPoP'), 'invalid_token', 401)
    process.control(token_life=0)
    expired = party.sign_in()['access_token']
    process.control(token_life=3600)
    refused(party.userinfo(expired), 'invalid_token', 401)


def revocation_and_sign_out(process):
    party = RelyingParty(process)
    tokens = party.sign_in()
    expect(party.post('/revoke', token='unknown').status == 200)
    refused(RelyingParty(process, 'basic').post('/revoke', token=tokens['refresh_token']), 'invalid_grant')
    expect(party.post('/revoke', token=tokens['refresh_token'], token_type_hint='refresh_token').status == 200)
    refused(party.refresh(tokens['refresh_token']), 'invalid_grant')
    expect(party.userinfo(tokens['access_token']).status == 401)
    query = {'id_token_hint': tokens['id_token'], 'post_logout_redirect_uri': REDIRECT, 'state': 'back'}
    reply = send('GET', party.at('/end-session?') + urlencode(query))
    expect(reply.status == 302 and reply.headers['Location'] == REDIRECT + '?state=back', reply)
    for change in ({'id_token_hint': tokens['id_token'][:-8] + 'AAAAAAAA'}, {'client_id': 'web-basic'},
                   {'post_logout_redirect_uri': 'https://provider.example'}):
        expect(send('GET', party.at('/end-session?') + urlencode({**query, **change})).status == 400, change)


def device_grant(process):
    process.control(device_interval=0)
    party = RelyingParty(process)
    start = party.post('/device-authorization', scope=SCOPE).json
    poll = {'grant_type': DEVICE, 'device_code': start['device_code']}
    refused(party.token(**poll), 'authorization_pending')
    expect(send('GET', start['verification_uri_complete']).status == 200)
    refused(party.token(**poll), 'authorization_pending')
    form = {'user_code': start['user_code'].lower().replace('-', ''), 'action': 'approve'}
    expect(send('POST', start['verification_uri'], form=form).status == 200)
    tokens = party.token(**poll).json
    expect('nonce' not in party.verified(tokens['id_token'])[1] and 'refresh_token' in tokens, tokens)
    refused(party.token(**poll), 'invalid_grant')
    start = party.post('/device-authorization', scope=SCOPE).json
    expect(process.control(deny_device=start['user_code'])['denied'] == 1)
    refused(party.token(grant_type=DEVICE, device_code=start['device_code']), 'access_denied')
    process.control(device_interval=5)
    start = party.post('/device-authorization', scope=SCOPE).json
    poll = {'grant_type': DEVICE, 'device_code': start['device_code']}
    refused(party.token(**poll), 'authorization_pending')
    refused(party.token(**poll), 'slow_down')
    process.control(device_life=0)
    start = party.post('/device-authorization', scope=SCOPE).json
    refused(party.token(grant_type=DEVICE, device_code=start['device_code']), 'expired_token')
    process.control(device_life=600)


def client_credentials(process):
    party = RelyingParty(process, 'basic')
    tokens = party.token(grant_type='client_credentials', scope='email').json
    expect(set(tokens) == {'access_token', 'token_type', 'expires_in', 'scope'} and tokens['scope'] == 'email', tokens)
    refused(party.token(grant_type='client_credentials', scope='openid'), 'invalid_scope')
    refused(RelyingParty(process).token(grant_type='client_credentials'), 'unauthorized_client')


def registration(process):
    wishes = {'redirect_uris': ['http://127.0.0.1/callback'], 'token_endpoint_auth_method': 'none',
              'grant_types': ['authorization_code', 'refresh_token'], 'client_name': 'Tool'}
    address = process.issuer + '/register'
    reply = send('POST', address, content=wishes)
    expect(reply.status == 201 and 'client_secret' not in reply.json and reply.json['client_name'] == 'Tool', reply)
    party = RelyingParty(process, reply.json['client_id'])
    expect(party.refresh(party.sign_in()['refresh_token']).status == 200)
    expect(party.authorize(redirect_uri='http://127.0.0.1:1/other').status == 400)
    refused(party.token(grant_type=DEVICE, device_code='any'), 'unauthorized_client')
    usual = send('POST', address, content={'redirect_uris': ['http://127.0.0.1/callback']}).json
    expect(usual['token_endpoint_auth_method'] == 'client_secret_basic', usual)
    expect(usual['client_secret_expires_at'] == 0, usual)
    party = RelyingParty(process, usual['client_id'])
    party.method, party.secret = 'basic', usual['client_secret']
    expect('refresh_token' not in party.sign_in())
    refused(send('POST', address, content={**wishes, 'redirect_uris': ['http://provider.example/']}),
            'invalid_redirect_uri')
    refused(send('POST', address, content={**wishes, 'token_endpoint_auth_method': 'magic'}), 'invalid_client_metadata')


def pushed_requests(process):
    process.control(require_par=True)
    document = send('GET', process.issuer + '/.well-known/openid-configuration').json
    expect(document['require_pushed_authorization_requests'], document)
    for client in ('public', 'basic'):
        party = RelyingParty(process, client)
        expect(party.authorize().status == 400)
        expect(party.userinfo(party.sign_in(pushes=True)['access_token']).status == 200)
    pushed = party.post('/par', **party.request())
    expect(pushed.status == 201 and pushed.json['expires_in'] > 0, pushed)
    query = urlencode({'client_id': party.id, 'request_uri': pushed.json['request_uri']})
    expect(send('GET', party.at('/authorize?') + query).status == 302)
    expect(send('GET', party.at('/authorize?') + query).status == 400)
    refused(party.post('/par', **{**party.request(), 'state': ''}), 'invalid_request')
    process.control(require_par=False)


def proof_of_possession(process):
    for needs_nonce in (False, True):
        process.control(require_dpop_nonce=needs_nonce)
        for alg in ('ES256', 'EdDSA', 'PS256'):
            party = RelyingParty(process, prover=Prover(alg))
            tokens = party.sign_in()
            expect(tokens['token_type'] == 'DPoP', tokens)
            expect(party.userinfo(tokens['access_token']).status == 200)
            expect(party.refresh(tokens['refresh_token']).status == 200)
    process.control(require_dpop_nonce=True)
    prover = Prover()
    party = RelyingParty(process, prover=prover)
    token = party.sign_in()['access_token']
    prover.nonce = None
    reply = party.userinfo(token)
    refused(reply, 'use_dpop_nonce', 401)
    expect(reply.headers['DPoP-Nonce'] and 'use_dpop_nonce' in reply.headers['WWW-Authenticate'], reply.headers)
    process.control(require_dpop_nonce=False)
    tokens = party.sign_in()
    token = tokens['access_token']
    for changes in ({'htm': 'POST'}, {'htu': party.at('/token')}, {'iat': 1}, {'iat': None}, {'jti': None},
                    {'ath': 'x'}):
        refused(party.userinfo(token, **changes), 'invalid_dpop_proof', 401)
    expect(party.userinfo(token, jti='once').status == 200)
    refused(party.userinfo(token, jti='once'), 'invalid_dpop_proof', 401)
    refused(party.userinfo(token, 'Bearer'), 'invalid_token', 401)
    stranger = RelyingParty(process, prover=Prover())
    refused(stranger.userinfo(token), 'invalid_token', 401)
    refused(stranger.refresh(tokens['refresh_token']), 'invalid_dpop_proof')
    stranger.prover = None
    refused(stranger.refresh(tokens['refresh_token']), 'invalid_dpop_proof')
    bound = party.request(dpop_jkt=jose.thumbprint(prover.public))
    code = dict(send('GET', party.at('/authorize?') + urlencode(bound)).location)['code']
    stranger.verifier = party.verifier
    refused(stranger.redeem(code), 'invalid_dpop_proof')


def access_tokens_for_an_api(process):
    """JWTs that the API verifies by itself. RFC 9068, 2; RFC 9449, 6.1."""
    process.control(audience='https://api.example')
    for prover in (None, Prover()):
        party = RelyingParty(process, prover=prover)
        first = party.sign_in()
        for tokens in (first, party.refresh(first['refresh_token']).json):
            token = tokens['access_token']
            header, claims = party.verified(token)
            expect(header['typ'] == 'at+jwt' and header['alg'] == 'RS256', header)
            expect(claims['iss'] == process.issuer and claims['aud'] == 'https://api.example', claims)
            expect(claims['client_id'] == party.id and claims['scope'] == SCOPE and claims['jti'], claims)
            expect(claims['exp'] == claims['iat'] + tokens['expires_in'], claims)
            expect(claims['sub'] == party.userinfo(token).json['sub'], claims)
            expect(claims.get('cnf') == (prover and {'jkt': jose.thumbprint(prover.public)}), claims)
            expect(any(secret['value'] == token for secret in process.get('/_secrets')))
    process.control(audience='')
    expect('.' not in party.sign_in()['access_token'])


def keys_rotate(process):
    party = RelyingParty(process)
    before = party.sign_in()['id_token']
    process.control(rotate_keys=True)
    after = party.sign_in()['id_token']
    expect(jose.read(before)[0]['kid'] != jose.read(after)[0]['kid'])
    expect(party.verified(before) and party.verified(after))


def log_and_secrets(process):
    process.control(forget=True)
    party = RelyingParty(process, 'basic')
    tokens = party.sign_in()
    party.userinfo(tokens['access_token'])
    authorization, exchange, info = process.get('/_log')
    expect('state' in authorization['query'] and authorization['status'] == 302, authorization)
    expect(exchange['client_auth'] == 'client_secret_basic', exchange)
    expect(exchange['grant_type'] == 'authorization_code', exchange)
    expect(info['authorization_scheme'] == 'Bearer' and 'authorization' in info['headers'], info)
    known = {secret['value'] for secret in process.get('/_secrets')}
    given = {tokens[name] for name in ('access_token', 'refresh_token', 'id_token')}
    expect({party.state, party.nonce, party.verifier, party.secret, *given} <= known)
    text = str([authorization, exchange, info])
    expect(not any(value in text for value in known))
    expect(send('POST', process.issuer + '/_control', content={'fault': 'no-such-fault'}).status == 400)
    expect(send('POST', process.issuer + '/_control', content={'no_such_setting': 1}).status == 400)


FLOWS = [sign_in_and_userinfo, keys_rotate, every_algorithm, authorization_refuses, codes_are_for_one_use,
         client_authentication_is_strict, refresh_rotates, userinfo_wants_the_field, revocation_and_sign_out,
         device_grant, client_credentials, registration, pushed_requests, proof_of_possession, access_tokens_for_an_api,
         log_and_secrets]
