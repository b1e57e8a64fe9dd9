"""Canaille with one person and three clients, in a database of its own. `canaille` runs it in its environment."""
import datetime
import json

from serve import Instance, free_port

from canaille import create_app
from canaille.app import models
from canaille.backends import Backend
from canaille.oidc.jose import build_client_management_token
from joserfc.jwk import RSAKey

SCOPES = ["openid", "profile", "email", "offline_access"]
# Characters that the form-encoding of RFC 6749, 2.3.1 changes.
SECRETS = {"basic": "test-secret+for/basic:100%25", "post": "test-secret+for/post:100%25"}
USER = {"login": "alice", "password": "correct-horse-battery"}


def configuration(instance):
    life = instance.settings["access_life"]
    log = {"class": "logging.FileHandler", "filename": str(instance.folder / "server.log"), "formatter": "plain"}
    return {
        "SECRET_KEY": "a-key-for-tests-and-nothing-else",
        "DEBUG": False,
        "SERVER_NAME": f"127.0.0.1:{instance.port}",
        "PREFERRED_URL_SCHEME": "http",
        "OAUTH2_TOKEN_EXPIRES_IN": {"authorization_code": life, "refresh_token": life},
        "CANAILLE": {
            "DATABASE": "sql",
            "SMTP": None,
            "LOGGING": {
                "version": 1,
                "disable_existing_loggers": False,
                "formatters": {"plain": {"format": "%(levelname)s %(name)s: %(message)s"}},
                "handlers": {"file": log},
                "root": {"level": "INFO", "handlers": ["file"]},
            },
        },
        "CANAILLE_SQL": {"DATABASE_URI": f"sqlite:///{instance.folder}/canaille.sqlite"},
        "CANAILLE_OIDC": {
            "ACTIVE_JWKS": [signing_key(instance.folder / "key.json")],
            "DYNAMIC_CLIENT_REGISTRATION_OPEN": True,
        },
    }


def signing_key(file):
    if not file.exists():
        file.touch(mode=0o600)
        file.write_text(json.dumps(RSAKey.generate_key(2048, auto_kid=True).as_dict(private=True)))
    return json.loads(file.read_text())


def person():
    if Backend.instance.get(models.User, user_name=USER["login"]):
        return
    user = models.User(
        user_name=USER["login"],
        formatted_name="Alice Example",
        given_name="Alice",
        family_name="Example",
        emails=["alice@example.com"],
        password=USER["password"],
    )
    Backend.instance.save(user)


def client(name, redirect_uris):
    """No `client_uri`: one on a trusted domain, which 127.0.0.1 is, would skip the consent page."""
    method = "none" if name == "public" else f"client_secret_{name}"
    client_id = f"sallyport-{name}"
    made = Backend.instance.get(models.Client, client_id=client_id) or models.Client(
        client_id=client_id,
        client_secret=SECRETS.get(name),
        client_id_issued_at=datetime.datetime.now(datetime.timezone.utc),
        client_name=f"Sallyport ({name})",
        grant_types=["authorization_code", "refresh_token"],
        response_types=["code"],
        scope=SCOPES,
        token_endpoint_auth_method=method,
        application_type="native",
        # Without this it takes the strongest that its key can do, RS512.
        id_token_signed_response_alg="RS256",
    )
    made.redirect_uris = made.post_logout_redirect_uris = redirect_uris
    Backend.instance.save(made)
    made.audience = [made]
    Backend.instance.save(made)
    secret = {"client_secret": SECRETS[name]} if name in SECRETS else {}
    return {"client_id": made.client_id, **secret}


def main():
    instance = Instance()
    ports = instance.settings["redirect_port"] or [free_port()]
    application = create_app(configuration(instance))
    with application.test_request_context(instance.origin), Backend.instance.session():
        person()
        clients = {name: client(name, instance.redirect_uris(ports)) for name in ("public", "basic", "post")}
        registration = build_client_management_token("client:register", datetime.timedelta(days=1))
    facts = {"clients": clients, "user": USER, "registration_token": registration, "redirect_port": ports[0]}
    instance.run(application, instance.origin, facts)


main()
