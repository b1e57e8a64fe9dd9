"""The pages of the Django site, and what it tells about a person."""
import json

from django.conf import settings
from django.contrib.auth.views import LoginView
from django.http import HttpResponse, JsonResponse
from django.urls import include, path
from oauth2_provider.oauth2_validators import OAuth2Validator
from oauth2_provider.urls import metadata_urlpatterns
from oauth2_provider.views import ConnectDiscoveryInfoView, OAuthServerMetadataView


class Validator(OAuth2Validator):
    def get_additional_claims(self):
        return {
            "name": lambda request: request.user.get_full_name(),
            "preferred_username": lambda request: request.user.get_username(),
            "email": lambda request: request.user.email,
        }


def full_discovery(request):
    """The OpenID document, with the endpoints that stand in the one of RFC 8414 alone, or in none."""
    documents = [view.as_view()(request) for view in (OAuthServerMetadataView, ConnectDiscoveryInfoView)]
    merged = {}
    for document in documents:
        merged.update(json.loads(document.content))
    merged["device_authorization_endpoint"] = f"{merged['issuer']}/device-authorization/"
    return JsonResponse(merged)


def home(_):
    return HttpResponse("<!doctype html><title>Home</title><p>Nothing is here.</p>")


urlpatterns = [
    path("", home),
    path("", include(metadata_urlpatterns)),
    path("login/", LoginView.as_view()),
    path("o/", include("oauth2_provider.urls", namespace="oauth2_provider")),
]
if settings.SALLYPORT_FULL_DISCOVERY:
    urlpatterns.insert(0, path("o/.well-known/openid-configuration", full_discovery))
