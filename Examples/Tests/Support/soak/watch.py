"""Programs that use a session all the time: their memory and their descriptors must not grow."""
import asyncio
import json
import os
import signal
import statistics
import subprocess
import time

from machine import Broken, die_with_parent

PAUSE = 500
# What the heap of a program may grow by after its start, in KiB, and how many descriptors a call may have open.
MEMORY, DESCRIPTORS = 4_096, 4
# The measurements, one a second, without which a program says nothing.
LEAST = 20


class Worker:
    def __init__(self, process, warm_up):
        self.process, self.samples, self.figures, self.reason = process, [], {}, None
        self.ready = time.monotonic() + warm_up

    def stop(self):
        self._signal(signal.SIGSTOP)

    def resume(self):
        self._signal(signal.SIGCONT)

    def _signal(self, number):
        if self.process.returncode is None:
            os.kill(self.process.pid, number)

    def sample(self):
        if self.process.returncode is not None or time.monotonic() < self.ready:
            return
        with open(f'/proc/{self.process.pid}/status') as status:
            memory = next(int(line.split()[1]) for line in status if line.startswith('VmRSS'))
        self.samples.append((memory, len(os.listdir(f'/proc/{self.process.pid}/fd'))))

    def change(self):
        """The memory in KiB and the descriptors, each of the first quarter and the last."""
        quarter = max(len(self.samples) // 4, 1)
        # Medians: connections come and go, and a long sleep closes all of them for a moment.
        return [[int(statistics.median(sample[kind] for sample in part))
                 for part in (self.samples[:quarter], self.samples[-quarter:])] for kind in range(2)]


class Watch:
    COUNT = 2
    SERVICE = 'com.example.soak'

    def __init__(self, machine, programs, clocks, backend, account, minutes):
        self.machine, self.program, self.clocks, self.backend = machine, programs / 'RefreshWorker', clocks, backend
        self.account, self.email, self.minutes = account, f'{account}@example.com', minutes
        self.runs, self.past = [], []

    async def start(self):
        await self.backend.add_account(self.email)
        self.clocks.set('watch', 0)
        await self._start_all()

    async def _start_all(self):
        words = [str(self.program), 'sign-in', self.SERVICE, self.account, self.backend.url, self.email]
        for _ in range(30):
            if await self.machine.run(*words, given=self.backend.password.encode() + b'\n'):
                break
            await asyncio.sleep(2)
        else:
            raise Broken('the programs that run all the time could not sign in')
        for _ in range(self.COUNT):
            with open(self.machine.logs / 'watch', 'ab') as errors:
                process = await asyncio.create_subprocess_exec(
                    str(self.program), 'call', self.SERVICE, self.account, self.backend.url, str(10**6), str(PAUSE),
                    env={**self.machine.environment, **self.clocks.environment('watch')}, cwd=self.machine.home,
                    stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors, preexec_fn=die_with_parent)
            worker = Worker(process, min(120, self.minutes * 12))
            worker.task = asyncio.create_task(self._read(worker))
            self.runs.append(worker)

    async def _read(self, worker):
        async for line in worker.process.stdout:
            with open(self.machine.logs / 'watch', 'ab') as log:
                log.write(line)
            said = json.loads(line)
            worker.figures, worker.reason = said.get('figures') or worker.figures, said.get('reason')

    async def tend(self, rest, soak):
        """Measures them, and starts them again if their session was lost within the limits."""
        while await rest(1):
            for worker in self.runs:
                worker.sample()
            if all(worker.process.returncode is None for worker in self.runs):
                continue
            # The others learn it from the store.
            await asyncio.sleep(10)
            reasons = {worker.reason for worker in self.runs}
            codes = {worker.process.returncode for worker in self.runs}
            said = f'the programs that run all the time ended: {reasons}, exit codes {codes}'
            if codes == {0} and 'refreshResponseLost' in reasons and self.backend.tap.is_late(self.email, 9):
                soak.losses.append(said)
            else:
                soak.fault(said)
            await self.stop()
            self.past, self.runs = self.past + self.runs, []
            await self._start_all()

    def verdict(self):
        """Lines of the table, and the faults."""
        rows, faults = [], []
        measured = [worker for worker in self.past + self.runs if len(worker.samples) >= LEAST]
        for worker in measured:
            (memory, last_memory), (files, last_files) = worker.change()
            rows.append((f'memory after the start and at the end, {worker.figures.get("calls", 0)} calls',
                         f'{memory / 1024:.1f} MiB, {last_memory / 1024:.1f} MiB'))
            rows.append(('descriptors after the start and at the end', f'{files}, {last_files}'))
            if last_memory > memory + MEMORY:
                faults.append(f'the memory grew from {memory} to {last_memory} KiB')
            if last_files > files + DESCRIPTORS:
                faults.append(f'the descriptors grew from {files} to {last_files}')
        if not measured:
            faults.append('no program ran for long enough to be measured')
        return rows, faults

    async def stop(self):
        for worker in self.runs:
            if worker.process.returncode is None:
                worker.process.kill()
                await worker.process.wait()
