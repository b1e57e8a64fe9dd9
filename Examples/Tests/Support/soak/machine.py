"""The user's machine: a home folder, a session bus, a real keyring daemon, and programs that run there."""
import asyncio
import contextlib
import os
import shutil
import socket
import struct
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
SUPPORT, ROOT = HERE.parent, HERE.parents[3]
sys.path.append(str(SUPPORT / 'providers'))
from launch import die_with_parent  # noqa: E402

SERVICE, LOGIN = 'org.freedesktop.secrets', '/org/freedesktop/secrets/collection/login'
BUS = '''<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><listen>unix:dir={folder}</listen><auth>EXTERNAL</auth>
<policy context="default">
<allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>
</policy></busconfig>'''
DROPPED = ('DISPLAY', 'WAYLAND_DISPLAY', 'XDG_STATE_HOME', 'GNOME_KEYRING_CONTROL', 'SSH_AUTH_SOCK',
           'SALLYPORT_API_KEY', 'SALLYPORT_BACKEND_API_KEY', 'SALLYPORT_PROFILE', 'http_proxy', 'https_proxy',
           'HTTP_PROXY', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY')


class Broken(Exception):
    """The soak itself could not do what it has to. Not a fault of the tool."""


class Machine:
    def __init__(self, folder, passphrase):
        self.folder, self.home, self.logs = folder, folder / 'home', folder / 'logs'
        self.password = b'test-password'
        self.bus = self.daemon = None
        places = {'HOME': self.home, 'XDG_DATA_HOME': self.home / '.local/share',
                  'XDG_CONFIG_HOME': self.home / '.config', 'XDG_CACHE_HOME': self.home / '.cache',
                  'XDG_RUNTIME_DIR': folder / 'run', 'TMPDIR': self.home / 'tmp'}
        for place in (*places.values(), self.logs):
            place.mkdir(parents=True, mode=0o700, exist_ok=True)
        self.environment = {name: value for name, value in os.environ.items() if name not in DROPPED}
        self.environment.update({name: str(place) for name, place in places.items()})
        self.environment['SALLYPORT_PASSPHRASE'] = passphrase

    async def start(self):
        (self.folder / 'bus.conf').write_text(BUS.format(folder=self.folder / 'run'))
        self.bus = await asyncio.create_subprocess_exec(
            'dbus-daemon', f'--config-file={self.folder / "bus.conf"}', '--nofork', '--print-address',
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, preexec_fn=die_with_parent)
        self.environment['DBUS_SESSION_BUS_ADDRESS'] = (await self.bus.stdout.readline()).decode().strip()
        # A copy, because the file capability of the installed one is refused in some containers.
        self.program = self.folder / 'gnome-keyring-daemon'
        shutil.copyfile(shutil.which('gnome-keyring-daemon'), self.program)
        self.program.chmod(0o700)
        await self.start_keyring()

    # The keyring

    async def start_keyring(self, locked=False):
        """Starts the daemon. In a start of thousands it ends by an assertion of its own, and is started again."""
        for _ in range(5):
            self.daemon = await asyncio.create_subprocess_exec(
                self.program, '--components=secrets', '--foreground', *([] if locked else ['--unlock']),
                env=self.environment, cwd=self.folder, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL, preexec_fn=die_with_parent)
            # Without a newline, which would become part of the password.
            self.daemon.stdin.write(b'' if locked else self.password)
            self.daemon.stdin.close()
            for _ in range(200):
                if self.daemon.returncode is not None:
                    break
                if await self.is_locked() is locked:
                    return
                await asyncio.sleep(0.05)
        raise Broken('the keyring daemon does not start')

    async def kill_keyring(self):
        # Once in an hour of load, the daemon has just ended by that assertion.
        with contextlib.suppress(ProcessLookupError):
            self.daemon.kill()
        await self.daemon.wait()

    async def is_locked(self):
        """Whether the keyring is locked; None if nobody answers."""
        output = await self.run('dbus-send', f'--bus={self.environment["DBUS_SESSION_BUS_ADDRESS"]}', '--print-reply',
                                '--reply-timeout=2000', f'--dest={SERVICE}', LOGIN,
                                'org.freedesktop.DBus.Properties.Get',
                                'string:org.freedesktop.Secret.Collection', 'string:Locked')
        return {b'true': True, b'false': False}.get(output.split()[-1] if output else b'')

    async def unlock(self):
        """Unlocks the keyring in the running daemon, as a login does, by the daemon's own protocol."""
        try:
            await self._unlock()
        except (OSError, Broken):
            # Fails unless the daemon has just ended by that assertion. It is started again, unlocked.
            await asyncio.wait_for(self.daemon.wait(), 5)

    async def _unlock(self):
        def number(value):
            return struct.pack('>I', value)
        with socket.socket(socket.AF_UNIX) as control:
            control.settimeout(5)
            control.connect(str(self.folder / 'run/keyring/control'))
            length = len(self.password)
            control.send(b'\0' + number(12 + length) + number(1) + number(length) + self.password)
            if control.recv(8) != number(8) + number(0):
                raise Broken('the keyring did not unlock')
        for _ in range(100):
            if await self.is_locked() is False:
                return
            await asyncio.sleep(0.05)
        raise Broken('the keyring stays locked')

    # Programs

    async def run(self, *words, given=b''):
        """Runs a program that belongs to the soak, and returns its output; empty if it fails."""
        process = await asyncio.create_subprocess_exec(
            *words, env=self.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            preexec_fn=die_with_parent)
        output, _ = await asyncio.wait_for(process.communicate(given), 60)
        return output if process.returncode == 0 else b''

    async def stop(self):
        for process in (self.daemon, self.bus):
            if process is not None and process.returncode is None:
                process.kill()
                await process.wait()
