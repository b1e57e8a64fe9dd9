"""What a person does with a page: which form to fill, with what, and which button to press. Knows no provider.

`person` and `chromium-person` share it. Both read:

    PERSON_LOGIN, PERSON_PASSWORD   what is typed
    PERSON_ANSWER                   `accept` (the default) or `deny`, where the page asks
    PERSON_TIMEOUT                  seconds for everything; 30
"""
import os
import re
import signal
import sys
from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import parse_qs, urlsplit

ACCEPT = ("accept", "allow", "authorize", "approve", "agree", "grant", "sign in", "log in", "login", "confirm")
ACCEPT += ("continue", "verify", "submit", "yes", "logout", "log out", "sign out")
DENY = ("deny", "cancel", "decline", "refuse", "reject", "stay", "no")
NAMES = re.compile(r"user|login|mail|identifier|account", re.I)
MOST_PAGES = 15


class Failure(Exception):
    """Why the person gave up, in a sentence without secrets."""


@dataclass
class Button:
    name: str
    value: str
    says: str = ""


@dataclass
class Form:
    action: str
    method: str
    inputs: list = field(default_factory=list)
    buttons: list = field(default_factory=list)


@dataclass
class Step:
    """The form and the button by their place in the page, and what is typed into which field."""

    form: Form
    form_number: int
    typed: dict
    button_number: int | None

    def data(self):
        """What the form sends: hidden fields, ticked boxes, what was typed, and the button that was pressed."""
        sent = [
            (one["name"], self.typed.get(one["name"], one.get("value") or ""))
            for one in self.form.inputs
            if one.get("name") and (one["type"] not in ("checkbox", "radio") or "checked" in one)
        ]
        if self.button_number is not None and (button := self.form.buttons[self.button_number]).name:
            sent.append((button.name, button.value))
        return sent


class Page(HTMLParser):
    """The forms and the title of a page."""

    def __init__(self, html):
        super().__init__()
        self.forms, self.title = [], ""
        self.form = self.button = None
        self.in_title = False
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        found = {name: value or "" for name, value in attributes}
        kind = found.get("type", "").lower()
        if tag == "title" and not self.title:
            self.in_title = True
        elif tag == "form":
            self.form = Form(found.get("action", ""), found.get("method", "get").lower())
            self.forms.append(self.form)
        elif self.form is None:
            return
        elif tag == "button" and kind not in ("button", "reset"):
            self.button = Button(found.get("name", ""), found.get("value", ""))
            self.form.buttons.append(self.button)
        elif tag == "input" and kind in ("submit", "image"):
            value = found.get("value", "")
            self.form.buttons.append(Button(found.get("name", ""), value, value))
        elif tag == "input" and kind not in ("button", "reset", "file"):
            self.form.inputs.append({**found, "type": kind or "text"})

    def handle_endtag(self, tag):
        if tag == "title":
            self.in_title = False
        elif tag == "form":
            self.form = None
        elif tag == "button":
            self.button = None

    def handle_data(self, data):
        if self.in_title:
            self.title += data
        elif self.button:
            self.button.says += data

    def step(self, login, password, answer):
        """What to do here, or nothing where no form is for this person."""
        choices = []
        for number, form in enumerate(self.forms):
            typed, worth = {}, 0
            for one in form.inputs:
                if one["type"] == "password":
                    typed[one.get("name")], worth = password, 3
                elif one["type"] in ("text", "email") and NAMES.search(one.get("name", "")) and not one.get("value"):
                    typed[one.get("name")], worth = login, max(worth, 2)
            button, fits = chosen(form.buttons, DENY if answer == "deny" and not typed else ACCEPT)
            if worth or fits:
                choices.append((worth + fits / 100, -number, Step(form, number, typed, button)))
        return max(choices, key=lambda choice: choice[:2])[2] if choices else None


def chosen(buttons, words):
    """The button that says the earliest of these words; else the last one, which decides nothing."""
    for place, word in enumerate(words):
        for number, button in enumerate(buttons):
            if re.search(rf"\b{word}\b", f"{button.says} {button.name} {button.value}", re.I):
                return number, len(words) - place
    return (len(buttons) - 1, 0) if buttons else (None, 0)


class Way:
    """The way through the pages: what was asked for, when it is done, and when it leads in circles."""

    def __init__(self, address):
        self.address = address
        query = parse_qs(urlsplit(address).query)
        wanted = query.get("redirect_uri") or query.get("post_logout_redirect_uri")
        self.destination = place(wanted[0]) if wanted else None
        self.login, self.password = (os.environ.get(name, "") for name in ("PERSON_LOGIN", "PERSON_PASSWORD"))
        self.answer = os.environ.get("PERSON_ANSWER", "accept")
        self.pages, self.typed_into = 0, set()

    def ends_at_provider(self, page, status):
        """Whether it is done without a way back, as with a device's code: nothing was asked back, nothing is asked."""
        asked = ("redirect_uri", "post_logout_redirect_uri", "request_uri", "response_type")
        return not any(f"{name}=" in self.address for name in asked) and status == 200 and not page.forms

    def arrived(self, address):
        """Whether this is the application's own page: where it asked to be sent, else any other origin."""
        if self.destination:
            return place(address) == self.destination
        return urlsplit(address).scheme == "http" and urlsplit(address).netloc != urlsplit(self.address).netloc

    def next_step(self, page):
        self.pages += 1
        if self.pages > MOST_PAGES:
            raise Failure("The pages lead in a circle.")
        step = page.step(self.login, self.password, self.answer)
        if step and step.typed:
            what = (tuple(sorted(step.typed)), step.form.action)
            if what in self.typed_into:
                raise Failure("The provider asks for the same once more: the login or the password is wrong.")
            self.typed_into.add(what)
        return step


def place(address):
    """An address without what is secret in it: no query, no fragment."""
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc}{parts.path}"


def say(*words):
    print(*words, flush=True)


def run(walk):
    """Walks the way to the address in the last argument; exits 0 where the application's page was received."""

    def give_up(number, _):
        raise Failure("It took too long." if number == signal.SIGALRM else "Ended from outside.")

    for number in (signal.SIGALRM, signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, give_up)
    signal.setitimer(signal.ITIMER_REAL, float(os.environ.get("PERSON_TIMEOUT", "30")))
    if len(sys.argv) < 2:
        sys.exit("An address is needed, as the last argument.")
    try:
        walk(Way(sys.argv[-1]))
    except Failure as failure:
        print(f"{os.path.basename(sys.argv[0])}: {failure}", file=sys.stderr)
        sys.exit(1)
