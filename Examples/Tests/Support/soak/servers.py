"""The servers of the soak, each with the troubles that it can have: both contracts, and four providers."""
import asyncio
import json
import os
import secrets
import signal
import sqlite3
import subprocess
import urllib.request

from machine import ROOT, SUPPORT, Broken, die_with_parent
from tap import Tap

# A token of 21 seconds is to an hour what a token of an hour is to a week.
TOKEN_LIFE = 21
WINDOW = 10
FOREVER = 1e9
# In the address that the tool shows for the browser.
SHOWN = {'state', 'nonce', 'request_uri'}


class Server:
    """`window` is the time for which this server answers a replaced refresh token."""
    name, window, troubles = '', WINDOW, ()
    entrance = ()

    def __init__(self, machine, folder):
        self.machine, self.folder, self.process = machine, folder, None
        self.signing_in, self.restarts, self.cuts = asyncio.Lock(), 0, 0
        folder.mkdir(mode=0o700)

    async def spawn(self, *words, environment=None):
        with open(self.folder / 'stderr', 'ab') as errors:
            self.process = await asyncio.create_subprocess_exec(
                *map(str, words), env=environment or dict(os.environ), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=errors, limit=1 << 26, preexec_fn=die_with_parent)
        return await self.line()

    async def line(self):
        line = await asyncio.wait_for(self.process.stdout.readline(), 120)
        if not line:
            raise Broken(f'{self.name} ended: see {self.folder / "stderr"}')
        return line.decode()

    async def trouble(self, kind, span):
        """Is in trouble for a time, and well afterwards."""
        self.cuts += kind != 'restart'
        self.restarts += kind == 'restart'
        try:
            await self.begin(kind)
            await asyncio.sleep(span)
        finally:
            await self.end(kind)

    async def begin(self, kind):
        if kind == 'restart':
            self.process.kill()
            await self.process.wait()
        else:
            os.kill(self.process.pid, signal.SIGSTOP)

    async def end(self, kind):
        if kind == 'restart':
            await self.start()
        else:
            os.kill(self.process.pid, signal.SIGCONT)

    def login_environment(self, profile):
        return {}

    async def stop(self):
        if self.process is not None and self.process.returncode is None:
            self.process.kill()
            await self.process.wait()


class Backend(Server):
    """The reference backend behind a tap, with both contracts."""
    troubles = ('restart', 'refuse', 'swallow', 'lose')
    name = 'backend'

    def __init__(self, machine, folder, program):
        super().__init__(machine, folder)
        self.program, self.tap, self.password = program, Tap(), secrets.token_urlsafe(18)

    async def start(self):
        if not self.tap.port:
            await self.tap.start()
        words = [self.program, 'serve', '--port', self.tap.backend_port, '--database', self.folder / 'backend.sqlite',
                 '--access-token-lifetime', TOKEN_LIFE, '--session-token-lifetime', TOKEN_LIFE,
                 '--refresh-grace', WINDOW, '--apple-stand-in', '--apple-port', '0']
        # Its log is among the files that are searched.
        line = await self.spawn('sh', '-c', 'log=$1; shift; exec "$@" 2>>"$log"', 'sh', self.machine.logs / 'backend',
                                *words)
        self.tap.backend_port = int(line.rsplit(':', 1)[1])
        await self.line()

    async def begin(self, kind):
        if kind == 'restart':
            await super().begin(kind)
        else:
            self.tap.set(kind)

    async def end(self, kind):
        if kind == 'restart':
            await super().end(kind)
        else:
            self.tap.set('pass')

    @property
    def url(self):
        return f'http://127.0.0.1:{self.tap.port}'

    async def add_account(self, email):
        added = await self.machine.run(self.program, 'add-account', '--database', self.folder / 'backend.sqlite',
                                       '--email', email, given=f'{self.password}\n'.encode())
        if not added:
            raise Broken('no account')

    async def secrets(self):
        return {self.password: 'password', **self.tap.secrets}


class Contract(Server):
    """One contract of the backend."""

    def __init__(self, backend):
        self.backend, self.signing_in = backend, asyncio.Lock()


class TokenPair(Contract):
    name, target = 'token pair', '/api/me'

    def login(self, profile):
        return ['--backend', self.backend.url, '--email', f'{profile}@example.com', '--password-stdin']


class SessionToken(Contract):
    name, window, target = 'session token', FOREVER, '/api/me'

    def login(self, profile):
        return ['--backend', self.backend.url, '--apple']

    def login_environment(self, profile):
        return {'BROWSER': str(ROOT / 'Examples/Support/browser'), 'STAND_IN_EMAIL': f'{profile}@example.com'}


class Django(Server):
    """A site on django-oauth-toolkit: software that is not ours, which rotates and keeps its tokens in a database."""
    name, troubles, port = 'django', ('restart', 'silence'), 0

    async def start(self):
        cache = os.environ.get('SALLYPORT_TEST_PROVIDERS') or os.path.join(
            os.environ.get('XDG_CACHE_HOME') or os.path.expanduser('~/.cache'), 'sallyport-test-providers')
        line = await self.spawn(SUPPORT / 'providers/django', self.folder, '--port', self.port,
                                '--access-life', TOKEN_LIFE, '--refresh-grace', WINDOW, '--full-discovery',
                                '--cache', cache)
        self.facts = json.loads(line)
        self.port = int(self.facts['issuer'].rsplit(':', 1)[1].split('/')[0])
        self.target = self.facts['issuer'] + '/userinfo/'

    def login(self, profile):
        return ['--issuer', self.facts['issuer'], '--client-id', self.facts['clients']['public']['client_id']]

    def login_environment(self, profile):
        user = self.facts['user']
        return {'BROWSER': f'env PERSON_LOGIN={user["login"]} PERSON_PASSWORD={user["password"]} '
                f'{SUPPORT / "providers/person"}'}

    async def secrets(self):
        def read():
            with sqlite3.connect(f'file:{self.folder / "django.sqlite"}?mode=ro', uri=True, timeout=20) as database:
                return {row[0]: table for table in ('accesstoken', 'refreshtoken')
                        for row in database.execute(f'SELECT token FROM oauth2_provider_{table}')}
        return await asyncio.to_thread(read)


class Strict(Server):
    """The misbehaving provider, without a fault: it rotates, and some of its tokens are bound to keys."""
    name, troubles = 'strict', ('silence',)

    async def start(self):
        line = await self.spawn(SUPPORT / 'misbehaving-provider/provider', '--token-life', TOKEN_LIFE,
                                '--grace', WINDOW)
        self.issuer = json.loads(line)['issuer']
        self.target = self.issuer + '/userinfo'

    def login(self, profile):
        bound = ['--dpop'] if profile.endswith(('0', '2', '4')) else []
        return ['--issuer', self.issuer, '--client-id', 'native', *bound]

    def login_environment(self, profile):
        return {'BROWSER': 'curl -fsSL --noproxy * -o /dev/null'}

    async def secrets(self):
        def ask():
            opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
            with opener.open(self.issuer + '/_secrets', timeout=60) as answer:
                return {one['value']: one['kind'] for one in json.load(answer) if one['kind'] not in SHOWN}
        return await asyncio.to_thread(ask)


class Player(Server):
    """A stand-in of a known provider, at its host names over TLS in a network of its own, which can be cut."""
    troubles, settings, words = ('cut', 'silence'), {}, ()

    async def start(self):
        self.facts = json.loads(await self.spawn(SUPPORT / 'provider-players/player', self.name))
        self.target = self.facts['api']
        user = [] if os.geteuid() == 0 else ['--user', '--preserve-credentials']
        self.entrance = ('nsenter', '--target', str(self.facts['pid']), '--net', '--mount', *user,
                         f'--wd={self.machine.home}', '--')
        self.client = self.facts['clients']['desktop']
        (self.folder / 'secret').write_text(self.client.get('client_secret', '') + '\n')
        await self.ask({'set': {'access_token_life': TOKEN_LIFE, **self.settings}})

    async def ask(self, wishes):
        self.process.stdin.write(json.dumps(wishes).encode() + b'\n')
        answer = json.loads(await self.line())
        if 'error' in answer:
            raise Broken(f'{self.name}: {answer["error"]}')
        return answer

    async def begin(self, kind):
        if kind == 'cut':
            await self._link('down')
        else:
            await super().begin(kind)

    async def end(self, kind):
        if kind == 'cut':
            await self._link('up')
        else:
            await super().end(kind)

    async def _link(self, state):
        """Takes the network away, and gives it back: packets are swallowed meanwhile."""
        path = os.environ.get('PATH', '') + ':/usr/sbin:/sbin'
        process = await asyncio.create_subprocess_exec(*self.entrance, 'ip', 'link', 'set', 'lo', state,
                                                       env={**os.environ, 'PATH': path})
        if await process.wait() != 0:
            raise Broken('the network could not be changed')

    def login(self, profile):
        words = ['--provider', self.name, '--client-id', self.client['client_id'], *self.words]
        if 'client_secret' in self.client:
            words += ['--client-secret-file', str(self.folder / 'secret')]
        return words

    def login_environment(self, profile):
        return {'BROWSER': f'sh {SUPPORT / "provider-players/user"}'}

    async def secrets(self):
        known = (await self.ask({'secrets': True}))['secrets']
        return {one['value']: one['kind'] for one in known if one['kind'] not in SHOWN}


class Okta(Player):
    """Rotates; a token that was replaced is good for thirty seconds, and ends the session afterwards."""
    name, window, words = 'okta', 30, ('--issuer', 'https://acme.okta.com/oauth2/default', '--redirect-port', '8484')


class Google(Player):
    """Gives one refresh token, which stays."""
    name, window = 'google', FOREVER
