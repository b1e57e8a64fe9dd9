"""A small Django site whose sign-in is django-oauth-toolkit. `django` runs it in its environment."""
from serve import Instance

import django
from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from django.conf import settings

# Characters that the form-encoding of RFC 6749, 2.3.1 changes.
SECRETS = {"basic": "test-secret+for/basic:100%25", "post": "test-secret+for/post:100%25"}
USER = {"login": "alice", "password": "correct-horse-battery"}
LOGIN_PAGE = """<!doctype html><html lang="en"><title>Sign in</title><h1>Sign in</h1>
<form method="post">{% csrf_token %}{{ form.as_p }}<button type="submit">Sign in</button></form></html>"""


def signing_key(file):
    if not file.exists():
        key = generate_private_key(public_exponent=65537, key_size=2048)
        file.touch(mode=0o600)
        file.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return file.read_text()


def configure(instance):
    given = instance.settings
    log = {"class": "logging.FileHandler", "filename": str(instance.folder / "server.log")}
    settings.configure(
        SECRET_KEY="a-key-for-tests-and-nothing-else",
        ALLOWED_HOSTS=["127.0.0.1"],
        ROOT_URLCONF="django_site",
        USE_TZ=True,
        DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
        INSTALLED_APPS=[
            "django.contrib.auth",
            "django.contrib.contenttypes",
            "django.contrib.sessions",
            "django.contrib.staticfiles",
            "oauth2_provider",
        ],
        MIDDLEWARE=[
            "django.middleware.security.SecurityMiddleware",
            "django.contrib.sessions.middleware.SessionMiddleware",
            "django.middleware.csrf.CsrfViewMiddleware",
            "django.contrib.auth.middleware.AuthenticationMiddleware",
        ],
        TEMPLATES=[
            {
                "BACKEND": "django.template.backends.django.DjangoTemplates",
                "OPTIONS": {
                    "context_processors": ["django.template.context_processors.request"],
                    "loaders": [
                        ("django.template.loaders.locmem.Loader", {"registration/login.html": LOGIN_PAGE}),
                        "django.template.loaders.app_directories.Loader",
                    ],
                },
            }
        ],
        # The tables in their final form, without the migrations, which take most of a start.
        MIGRATION_MODULES={app: None for app in ("auth", "contenttypes", "sessions", "oauth2_provider")},
        DATABASES={
            "default": {
                "ENGINE": "django.db.backends.sqlite3",
                "NAME": instance.folder / "django.sqlite",
                "OPTIONS": {"timeout": 20, "transaction_mode": "IMMEDIATE"},
            }
        },
        # Quick, because the password is a test's own.
        PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"],
        STATIC_URL="/static/",
        LOGIN_URL="/login/",
        LOGGING={
            "version": 1,
            "disable_existing_loggers": False,
            "handlers": {"file": log},
            "root": {"level": "INFO", "handlers": ["file"]},
        },
        OAUTH2_PROVIDER={
            "OIDC_ENABLED": True,
            "OIDC_RSA_PRIVATE_KEY": signing_key(instance.folder / "key.pem"),
            "OIDC_RP_INITIATED_LOGOUT_ENABLED": True,
            "OAUTH2_VALIDATOR_CLASS": "django_site.Validator",
            "SCOPES": {
                "openid": "Know who you are",
                "profile": "Read your name",
                "email": "Read your address",
                "offline_access": "Stay signed in",
            },
            "DEFAULT_SCOPES": ["openid"],
            "PKCE_REQUIRED": True,
            "ACCESS_TOKEN_EXPIRE_SECONDS": given["access_life"],
            "ROTATE_REFRESH_TOKEN": True,
            "REFRESH_TOKEN_REUSE_PROTECTION": True,
            "REFRESH_TOKEN_GRACE_PERIOD_SECONDS": given["refresh_grace"],
            "COMPLIANT_BCP_RFC9700_AUTHZ_RESPONSE_ISS": given["iss"],
            "ALLOW_LOCALHOST_LOOPBACK": True,
            "DCR_ENABLED": True,
            "DCR_REGISTRATION_PERMISSION_CLASSES": ("oauth2_provider.dcr.AllowAllDCRPermission",),
            "OAUTH_DEVICE_VERIFICATION_URI": f"{instance.origin}/o/device/",
            "OAUTH_DEVICE_VERIFICATION_URI_COMPLETE": lambda code: f"{instance.origin}/o/device/?user_code={code}",
            "DEVICE_FLOW_INTERVAL": 1,
        },
        SALLYPORT_FULL_DISCOVERY=given["full_discovery"],
    )
    django.setup()


def person():
    from django.contrib.auth.models import User

    user, _ = User.objects.get_or_create(
        username=USER["login"], defaults={"email": "alice@example.com", "first_name": "Alice", "last_name": "Example"}
    )
    user.set_password(USER["password"])
    user.save()


def client(name, redirect_uris):
    from oauth2_provider.models import Application

    confidential = name in SECRETS
    made, _ = Application.objects.update_or_create(
        client_id=f"sallyport-{name}",
        defaults={
            "client_secret": SECRETS.get(name, ""),
            "hash_client_secret": False,
            "name": f"Sallyport ({name})",
            "client_type": Application.CLIENT_CONFIDENTIAL if confidential else Application.CLIENT_PUBLIC,
            "authorization_grant_type": (
                Application.GRANT_DEVICE_CODE if name == "device" else Application.GRANT_AUTHORIZATION_CODE
            ),
            "redirect_uris": " ".join(redirect_uris),
            "post_logout_redirect_uris": " ".join(redirect_uris),
            "algorithm": Application.RS256_ALGORITHM,
        },
    )
    secret = {"client_secret": SECRETS[name]} if confidential else {}
    return {"client_id": made.client_id, **secret}


def sign_for_registered_clients():
    """Dynamic registration names no algorithm, and a client without one can't sign in: the site gives it RS256."""
    from django.db.models.signals import pre_save
    from oauth2_provider.models import Application

    def choose(instance, **_):
        instance.algorithm = instance.algorithm or Application.RS256_ALGORITHM

    pre_save.connect(choose, sender=Application, weak=False)


def main():
    instance = Instance()
    configure(instance)
    sign_for_registered_clients()
    from django.core.management import call_command
    from django.core.wsgi import get_wsgi_application

    call_command("migrate", run_syncdb=True, verbosity=0)
    person()
    # One port stands for all: a loopback redirect URI matches on any.
    uris = instance.redirect_uris(instance.settings["redirect_port"] or [1])
    clients = {name: client(name, uris) for name in ("public", "basic", "post", "device")}
    instance.run(get_wsgi_application(), f"{instance.origin}/o", {"clients": clients, "user": USER})


main()
