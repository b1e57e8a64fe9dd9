"""One profile: a session, what its user does, and what befalls it. It judges every run of the tool."""
import asyncio

SPARE = 1.0
# What the tool logs of a refresh with --verbose.
BEGUN, DONE, JOINED = 'refreshing, generation', '· refreshed, generation', 'another process has refreshed'
AGAIN = 'sending it again'
# What it says if it ends with tokens that the store has not taken.
UNSAVED = 'new tokens could not be saved'
# What it logs of a replay that has a connection only after the window.
TOO_LATE = 'no response (notSent)'
# What it says if the token is not as good as --min-ttl asks.
TOO_SHORT = 'no token that lasts as long as requested'
ACTIONS = {'token': 30, 'api': 14, 'status': 8, 'refresh': 12, 'crowd': 8, 'kill': 8, 'sleep': 6, 'clock': 7}


class Profile:
    def __init__(self, name, server, store, soak, random, first='token'):
        self.name, self.server, self.store, self.soak, self.random = name, server, store, soak, random
        self.first = first
        self.tool, self.weather = soak.tool, None
        # The start of the oldest run that has left the outcome of a refresh unknown, because it was in trouble.
        self.interrupted, self.is_unsaved, self.replayed = None, False, 0
        self.pace = 0.05

    async def sign_in(self):
        # A provider may have one address to return to, and one user at a time.
        async with self.server.signing_in:
            run = await self.tool.run(
                self, 'login', *self.server.login(self.name), '--store', self.store.name,
                given=f'{self.soak.backend.password}\n', more=self.server.login_environment(self.name))
        if run.code != 0:
            return run
        self.interrupted, self.is_unsaved = None, False
        await self.store.prepare()
        return None

    async def live(self):
        action = self.first
        while await self.weather.rest(self.random.uniform(1, 9)):
            await getattr(self, action)()
            action = self.random.choices(list(ACTIONS), list(ACTIONS.values()))[0]

    # What the user does

    async def token(self):
        await self.judge(await self.tool.run(self, 'token', '--min-ttl', str(self.random.choice([0, 3, 8]))))

    async def api(self):
        await self.judge(await self.tool.run(self, 'api', 'GET', self.server.target))

    async def status(self):
        await self.judge(await self.tool.run(self, 'status', '--json'))

    async def refresh(self):
        run = await self.tool.run(self, 'refresh')
        if run.code == 0:
            self.pace = run.ended - run.started
        await self.judge(run)

    async def crowd(self):
        """Several processes of the profile at once."""
        words = [['refresh'], ['token', '--min-ttl', '8'], ['api', 'GET', self.server.target], ['refresh']]
        self.random.shuffle(words)
        await self.judge(*await asyncio.gather(*(self.tool.run(self, *one) for one in words)))
        self.soak.crowds += 1

    # What befalls it

    async def _begun(self):
        """A refresh that has begun, at a random moment of it; of a token pair often when the server has got it."""
        tap = self.soak.backend.tap
        run = await self.tool.start(self, 'refresh')
        if self.server.name == 'token pair' and self.random.random() < 0.7:
            tap.on_refresh.clear()
            waits = [asyncio.create_task(tap.on_refresh.wait()), run.task]
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED, timeout=5)
            waits[0].cancel()
            await asyncio.sleep(self.random.uniform(0, 0.02))
        else:
            await asyncio.sleep(self.random.uniform(0, 1.1 * self.pace))
        return run

    async def kill(self):
        """kill -9 during a refresh; then the next command, soon or after the server's window."""
        run = await self._begun()
        run.kill()
        await self.judge(await run.task)
        self.soak.kills += run.was_killed
        await asyncio.sleep(self.weather.span())
        await self.weather.awake.wait()
        await self.token()

    async def sleep(self):
        """A process is stopped during a refresh, for a while, and others of the profile run meanwhile."""
        run = await self._begun()
        run.stop()
        self.soak.stops += run.was_stopped
        await asyncio.sleep(self.weather.span())
        other = await self.tool.run(self, 'token', '--http-timeout', '5')
        other.was_stopped = run.was_stopped
        run.resume()
        await self.judge(other, await run.task)

    async def clock(self):
        """A process with a wrong clock; then one with the right clock, whose token the server must accept."""
        self.soak.shifts += 1
        shift = self.random.choice(self.tool.clocks.SHIFTS)
        words = self.random.choice([['refresh'], ['token', '--min-ttl', '8'], ['status', '--json']])
        await self.judge(await self.tool.run(self, *words, clock=shift), is_shifted=True)
        await self.api()

    # The verdict

    def _targets(self):
        home = 'backend' if self.server.name in ('token pair', 'session token') else self.server.name
        # The tool asks the keyring for leftovers of a profile that is in a file, too.
        return [home, 'machine', 'keyring']

    async def judge(self, *runs, is_shifted=False):
        """Records what the runs say about the session, and each run that failed without a reason."""
        ends = []
        for run in runs:
            in_trouble = self.weather.overlaps(self._targets(), run.started, run.ended) or run.was_stopped
            self.soak.refreshed += run.err.count(DONE)
            self._note_refresh(run, in_trouble or run.was_killed)
            if run.code in (3, 4):
                ends.append(run)
            elif not self._is_expected(run, in_trouble, is_shifted):
                self.soak.fault(f'{self.describe()}: {" ".join(run.words)} ended with {run.code}'
                                f'{" (hung)" if run.is_hung else ""}: {run.err[-600:]}')
        if ends:
            await self._lost(ends)

    def _note_refresh(self, run, may_be_lost):
        is_done = DONE in run.err or JOINED in run.err
        # A process that is killed may have logged what it has not stored.
        if is_done and not run.was_killed and UNSAVED not in run.err:
            if self.interrupted is not None and self.interrupted <= run.started:
                self.interrupted, self.is_unsaved, self.replayed = None, False, run.ended
        elif BEGUN in run.err and may_be_lost:
            self.interrupted = min(self.interrupted or run.started, run.started)
            self.is_unsaved = self.is_unsaved or UNSAVED in run.err
        if AGAIN in run.err:
            self.replayed = run.ended

    def _is_expected(self, run, in_trouble, is_shifted):
        if run.is_hung:
            return False
        if run.was_killed:
            return True
        # The response to a replay is not exchanged for the length of the window, however short its token is by then.
        is_held = run.started - self.replayed < self.soak.token_life
        if TOO_SHORT in run.err and (is_held or in_trouble or self.interrupted):
            self.soak.short_tokens += 1
            return run.code == 1
        # A lost response is asked for again, but there is no connection before the window is over.
        if TOO_LATE in run.err and run.code == 6:
            return True
        # With a wrong clock, a provider's proof or ID token may be refused: the session stays.
        return run.code == 0 or in_trouble and run.code in (5, 6) or is_shifted and run.code in (1, 6, 7)

    async def _lost(self, ends):
        """A session has ended. Allowed if the response to a refresh was lost, and could not be asked for in time."""
        first = min(run.ended for run in ends)
        reason = self._excuse(first)
        if reason is None:
            said = ' | '.join(run.err.strip()[-300:] for run in ends)
            self.soak.fault(f'{self.describe()}: signed out by accident: {said}')
        else:
            self.soak.losses.append(f'{self.describe()}: {reason}')
        for _ in range(20):
            failed = await self.sign_in()
            if failed is None:
                return
            if not self.weather.overlaps(self._targets(), failed.started, failed.ended):
                self.soak.fault(f'{self.describe()}: login ended with {failed.code}: {failed.err[-600:]}')
            await asyncio.sleep(2)
        self.soak.fault(f'{self.describe()}: could not sign in again')

    def _excuse(self, moment):
        """The limit in Docs/Reliability.md that allows the loss; None if it is a fault."""
        if self.interrupted is None:
            return None
        age = moment - self.interrupted
        if age < self.server.window - SPARE:
            return None
        if self.server.name == 'token pair' and not self.soak.backend.tap.is_late(
                f'{self.name}@example.com', self.server.window - SPARE):
            return None
        what = 'new tokens were only in memory' if self.is_unsaved else 'the response to a refresh was lost'
        return f'{what} {age:.0f} s before, and the window is {self.server.window} s'

    def describe(self):
        return f'{self.name} ({self.server.name}, {self.store.name})'
