"""Namespaces of the player's own: a network with nothing but loopback, and mounts that nobody else sees.

network_namespaces(7), mount_namespaces(7). The program is executed again inside, so that its number stays the same.
"""
import ctypes
import fcntl
import os
import shutil
import socket
import struct
import sys

MARK = 'PLAYER_IS_INSIDE'
MS_BIND, MS_REC, MS_PRIVATE = 0x1000, 0x4000, 0x40000
SIOCGIFFLAGS, SIOCSIFFLAGS, IFF_UP = 0x8913, 0x8914, 1
HOSTS, BUNDLE = '/etc/hosts', '/etc/ssl/certs/ca-certificates.crt'


def enter():
    """Executes this program again in new namespaces. Returns if it runs in them already."""
    if os.environ.pop(MARK, None):
        return
    unshare = shutil.which('unshare', path=os.environ.get('PATH', '') + ':/usr/bin:/bin:/usr/sbin:/sbin')
    if unshare is None:
        sys.exit('The program unshare is missing. Install util-linux.')
    # The privileges to create a namespace: root's own, or those of a user namespace.
    user = [] if os.geteuid() == 0 else ['--user', '--map-current-user', '--keep-caps']
    os.environ[MARK] = '1'
    os.execv(unshare, [unshare, *user, '--net', '--mount', sys.executable, *sys.argv])


def prepare(names, bundle):
    """Switches loopback on, and lets the files of this machine say something else: in this namespace alone.

    `names` are the host names that lead to 127.0.0.1, `bundle` is the file with the only certificate authority.
    """
    _mount(None, '/', MS_REC | MS_PRIVATE)
    _switch_loopback_on()
    hosts = os.path.join(os.path.dirname(bundle), 'hosts')
    with open(hosts, 'w') as file:
        file.write('127.0.0.1 localhost\n::1 localhost ip6-localhost ip6-loopback\n')
        file.write(f'127.0.0.1 {socket.gethostname()}\n')
        file.writelines(f'127.0.0.1 {name}\n' for name in names)
    os.chmod(hosts, 0o644)
    _mount(hosts, os.path.realpath(HOSTS), MS_BIND)
    _mount(bundle, os.path.realpath(BUNDLE), MS_BIND)


def _mount(source, target, flags):
    """mount(2) itself: the program mount(8) refuses every user but root, even in a user namespace."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.mount(source and source.encode(), target.encode(), None, ctypes.c_ulong(flags), None) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), target)


def _switch_loopback_on():
    """Sets the flag of the interface, without the program ip(8), which may be missing. netdevice(7)."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        answer = fcntl.ioctl(control, SIOCGIFFLAGS, struct.pack('16sH22x', b'lo', 0))
        flags = struct.unpack('16sH22x', answer)[1]
        fcntl.ioctl(control, SIOCSIFFLAGS, struct.pack('16sH22x', b'lo', flags | IFF_UP))
