"""What happens to all: the keyring and the servers restart, networks go, the machine sleeps, its clock jumps."""
import asyncio
import time

# The time that a server, a daemon and their connections need to be as before.
SETTLING = 1.0
SHORT, LONG, MINUTES = (0.3, 4), (11, 18), (60, 130)


class Weather:
    def __init__(self, machine, tool, servers, clocks, watch, random, minutes):
        self.machine, self.tool, self.servers, self.clocks, self.watch = machine, tool, servers, clocks, watch
        self.random, self.minutes = random, minutes
        # Pairs of a target's name and its troubles: beginnings and ends, the last of which may be open.
        self.spells = {}
        # Whoever writes to the keyring beside the tool holds it, so that the daemon stays.
        self.calm_keyring = asyncio.Lock()
        self.awake, self.over = asyncio.Event(), asyncio.Event()
        self.awake.set()
        self.keyring_restarts = self.keyring_ends = self.sleeps = self.jumps = 0

    def overlaps(self, targets, start, end):
        return any(begin <= end and start <= (finish or end) + SETTLING
                   for target in targets for begin, finish in self.spells.get(target, []))

    def tasks(self):
        return [self._keyring(), self._guard_keyring(), self._sleep(), self._jump(), *(self._server(server) for server in self.servers)]

    async def rest(self, seconds):
        """Waits, and returns whether the soak goes on. Nothing is cancelled, so that all that was broken is mended."""
        try:
            await asyncio.wait_for(self.over.wait(), seconds)
        except TimeoutError:
            await self.awake.wait()
        return not self.over.is_set()

    def span(self):
        return self.random.uniform(*(SHORT if self.random.random() < 0.9 else LONG))

    async def _spell(self, target, trouble):
        spell = [time.monotonic(), None]
        self.spells.setdefault(target, []).append(spell)
        try:
            await trouble
        finally:
            spell[1] = time.monotonic()

    async def _server(self, server):
        while await self.rest(self.random.uniform(12, 45)):
            kind = self.random.choice(server.troubles)
            # A network that loses each response for longer than a window loses each session that refreshes.
            span = self.random.uniform(*SHORT) if kind == 'lose' else self.span()
            await self._spell(server.name, server.trouble(kind, span))

    async def _keyring(self):
        while await self.rest(self.random.uniform(15, 50)):
            async with self.calm_keyring:
                await self._spell('keyring', self._restart_keyring(self.random.random() < 0.3))

    async def _restart_keyring(self, locked):
        await self.machine.kill_keyring()
        self.keyring_restarts += 1
        await asyncio.sleep(self.span() / 2)
        await self.machine.start_keyring(locked)
        if locked:
            await asyncio.sleep(self.span())
            await self.machine.unlock()

    async def _guard_keyring(self):
        """Starts the daemon again if it ends by an assertion of its own, as the user's session does."""
        over = asyncio.ensure_future(self.over.wait())
        while not self.over.is_set():
            ended = asyncio.ensure_future(self.machine.daemon.wait())
            await asyncio.wait([ended, over], return_when=asyncio.FIRST_COMPLETED)
            if not ended.cancel():
                await self._spell('keyring', self._start_ended_keyring())

    async def _start_ended_keyring(self):
        # After a restart that is in progress.
        async with self.calm_keyring:
            if self.machine.daemon.returncode is not None:
                self.keyring_ends += 1
                await self.machine.start_keyring()

    async def _sleep(self):
        while await self.rest(self.random.uniform(15, 50)):
            is_long = self.minutes >= 20 and self.random.random() < 0.15
            await self._spell('machine', self._stop_all(self.random.uniform(*MINUTES) if is_long else self.span()))

    async def _stop_all(self, span):
        """Stops every process of the library. Their servers go on: it is the machine that sleeps."""
        self.awake.clear()
        runs = list(self.tool.runs)
        for run in runs + self.watch.runs:
            run.stop()
        self.sleeps += 1
        try:
            await asyncio.sleep(span)
        finally:
            for run in runs + self.watch.runs:
                run.resume()
            self.awake.set()

    async def _jump(self):
        """Makes the clock of the programs that run all the time jump."""
        while await self.rest(self.random.uniform(15, 50)):
            self.clocks.set('watch', self.random.choice([0, *self.clocks.SHIFTS]))
            self.jumps += 1
