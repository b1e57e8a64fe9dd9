"""The table of faults: what is done wrong, and what a correct relying party does about it.

A fault is a name, an exit code, a line with the specification's section, and deeds: functions that are called at named
points and change what was made right. A point is the name of a thing that is being made (`claims`, `token_answer`,
`callback`, ...: see the calls of `Provider.spoil` and `Provider.replace`), or `instead_` or `after_` and an endpoint's
name, for a whole answer.
"""
from dataclasses import dataclass, field

DONE, FAILED, ENDED, UNREACHABLE, UNSAFE, CANCELLED = 0, 1, 4, 6, 7, 130
TABLE = {}


@dataclass
class Fault:
    name: str
    expect: int
    description: str
    # Other exit codes that are no mistake: the specifications, or the tool's own, leave it open.
    also: tuple = ()
    # The command that shows it, where that is not `login`. Sign in without the fault, set it, run the command.
    command: str = 'login'
    # Arguments that `login` needs for it.
    login: tuple = ()
    # The client to sign in as.
    client: str = 'public'
    # Whether the tool rightly waits on after the fault, until its own limit.
    waits: bool = False
    # Seconds that its clock is ahead, and what it signs with, where that is not what was set.
    clock: int = 0
    alg: str = None
    deeds: dict = field(default_factory=dict)

    @property
    def summary(self):
        content = {'name': self.name, 'description': self.description, 'expect': self.expect, 'command': self.command}
        for name in ('also', 'login', 'waits', 'alg'):
            if getattr(self, name):
                content[name] = getattr(self, name)
        return {**content, 'client': self.client}


SETTINGS = {'also', 'command', 'login', 'client', 'waits', 'clock', 'alg'}


def fault(name, expect, description, **more):
    assert name not in TABLE, name
    settings = {key: more.pop(key) for key in SETTINGS & set(more)}
    TABLE[name] = Fault(name, expect, description, deeds=more, **settings)


# Each fills the table.
import faults_discovery  # noqa: E402, F401
import faults_browser  # noqa: E402, F401
import faults_token_answer  # noqa: E402, F401
import faults_id_token  # noqa: E402, F401
import faults_signature  # noqa: E402, F401
import faults_session  # noqa: E402, F401
import faults_grants  # noqa: E402, F401
