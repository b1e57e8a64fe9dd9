"""Runs of the tool: each is a process that can be stopped, killed and judged."""
import asyncio
import os
import signal
import subprocess
import time

from machine import die_with_parent

# More than the tool may wait for a lock, a keyring and a server, one after the other.
LONGEST_RUN = 120
OUTPUT_LIMIT = 1 << 20


class Run:
    def __init__(self, words, process, started):
        self.words, self.process, self.started, self.ended = words, process, started, None
        self.code, self.out, self.err = None, '', ''
        self.stopped_at, self.slept, self.was_stopped, self.was_killed, self.is_hung = None, 0.0, False, False, False

    @property
    def is_alive(self):
        return self.process.returncode is None

    def signal(self, number):
        try:
            # Not by asyncio, which would collect the exit code first, and lose it.
            os.kill(self.process.pid, number)
        except ProcessLookupError:
            pass  # It has just ended by itself.

    def stop(self):
        if self.is_alive and self.stopped_at is None:
            self.stopped_at, self.was_stopped = time.monotonic(), True
            self.signal(signal.SIGSTOP)

    def resume(self):
        if self.stopped_at is not None:
            self.slept += time.monotonic() - self.stopped_at
            self.stopped_at = None
            self.signal(signal.SIGCONT)

    def kill(self):
        """Kills it if it is still alive."""
        if self.is_alive:
            self.was_killed = True
            self.signal(signal.SIGKILL)

    @property
    def active(self):
        """The seconds in which it was not stopped."""
        return time.monotonic() - self.started - self.slept if self.stopped_at is None else 0


class Tool:
    def __init__(self, machine, program, clocks):
        self.machine, self.program, self.clocks = machine, program, clocks
        self.runs, self.secrets, self.count = set(), {}, 0

    async def start(self, profile, *words, given='', more=None, clock=None):
        """Starts the tool with a profile, if wanted with a wrong clock."""
        environment = {**self.machine.environment, **(more or {})}
        if clock is not None:
            environment.update(self.clocks.environment(clock))
        words = [*words, '--profile', profile.name, '--verbose']
        started = time.monotonic()
        process = await asyncio.create_subprocess_exec(
            *profile.server.entrance, str(self.program), *words, env=environment, cwd=self.machine.home,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=die_with_parent)
        run = Run(words, process, started)
        self.runs.add(run)
        self.count += 1
        run.task = asyncio.create_task(self._finish(run, profile, given))
        return run

    async def run(self, profile, *words, **more):
        run = await self.start(profile, *words, **more)
        return await run.task

    async def _finish(self, run, profile, given):
        talk = asyncio.create_task(run.process.communicate(given.encode()))
        while not (await asyncio.wait([talk], timeout=1))[0]:
            if run.active > LONGEST_RUN:
                run.is_hung = True
                # With a core file there would be tokens in a file; the log has what it did.
                run.signal(signal.SIGKILL)
        out, err = talk.result()
        # It may have ended by itself just before.
        run.was_killed = run.was_killed and run.process.returncode == -signal.SIGKILL
        self.runs.discard(run)
        run.ended, run.code = time.monotonic(), run.process.returncode
        run.out, run.err = out[:OUTPUT_LIMIT].decode(errors='replace'), err[:OUTPUT_LIMIT].decode(errors='replace')
        if run.words[0] == 'token':
            self.secrets.update({word: 'printed token' for word in [run.out.strip()] if len(word) >= 16})
        # All that it prints is searched, but for the token that it is asked for.
        with open(self.machine.logs / profile.name, 'a', encoding='utf-8') as log:
            shown = '' if run.words[0] == 'token' else run.out
            log.write(f'{time.time():.3f} {" ".join(run.words)}: {run.code}\n{shown}{run.err}')
        return run


class Clocks:
    """Wrong clocks: a small library that is preloaded, and a file for each clock."""
    SHIFTS = [sign * seconds for seconds in (90, 600, 3_600, 86_400, 400 * 86_400) for sign in (1, -1)]

    def __init__(self, folder, source):
        self.folder, self.library, self.source = folder, folder / 'shifted-clock.so', source
        folder.mkdir()

    async def start(self):
        process = await asyncio.create_subprocess_exec('cc', '-shared', '-fPIC', '-O2', '-Wall', '-Werror', '-o',
                                                       self.library, self.source)
        if await process.wait() != 0:
            raise RuntimeError('the clock could not be compiled')
        for seconds in self.SHIFTS:
            self.set(str(seconds), seconds)

    def set(self, name, seconds):
        """Sets a clock; a program that has it notices at once."""
        file = os.open(self.folder / name, os.O_WRONLY | os.O_CREAT, 0o600)
        os.pwrite(file, seconds.to_bytes(8, 'little', signed=True), 0)
        os.close(file)

    def environment(self, name):
        return {'LD_PRELOAD': str(self.library), 'SHIFTED_CLOCK': str(self.folder / str(name))}
