"""Django REST framework over the posts, in each of its ways to page: python drf_app.py DATABASE PORT"""

import sys
from wsgiref.simple_server import make_server
from wsgiref.simple_server import WSGIRequestHandler

import django
from django.conf import settings

settings.configure(
    ALLOWED_HOSTS=["*"],
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": sys.argv[1],
                           "OPTIONS": {"timeout": 30}}},
    INSTALLED_APPS=["rest_framework", "rest_framework_json_api"],
    # It is what sends the ETag, and the 304.
    MIDDLEWARE=["django.middleware.http.ConditionalGetMiddleware"],
    REST_FRAMEWORK={
        "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
        "DEFAULT_AUTHENTICATION_CLASSES": [],
        "UNAUTHENTICATED_USER": None,
    },
    ROOT_URLCONF=__name__,
    USE_TZ=True,
)
django.setup()

from django.db import models
from django.urls import path
from rest_framework import generics, pagination, serializers, throttling
from rest_framework_json_api import renderers as api_renderers
from rest_framework_json_api import serializers as api_serializers
from rest_framework_json_api.pagination import JsonApiLimitOffsetPagination, JsonApiPageNumberPagination


class Post(models.Model):
    title = models.TextField()
    stars = models.IntegerField()

    class Meta:
        app_label = "posts"
        db_table = "posts"
        managed = False
        ordering = ["-id"]


class PostSerializer(serializers.ModelSerializer):
    class Meta:
        model = Post
        fields = ["id", "title", "stars"]


class ApiSerializer(api_serializers.ModelSerializer):
    class Meta:
        model = Post
        fields = ["title", "stars"]

    class JSONAPIMeta:
        resource_name = "posts"


class Numbers(pagination.PageNumberPagination):
    page_size = 100
    page_size_query_param = "page_size"


class Offsets(pagination.LimitOffsetPagination):
    default_limit = 100


class Cursors(pagination.CursorPagination):
    page_size = 100
    ordering = "-id"


class ApiNumbers(JsonApiPageNumberPagination):
    page_size = 100


class ApiOffsets(JsonApiLimitOffsetPagination):
    default_limit = 100


class Throttle(throttling.SimpleRateThrottle):
    """Six requests, then a wait: in seconds here, where a minute would take too long."""

    scope = "posts"
    THROTTLE_RATES = {"posts": "6/min"}

    def parse_rate(self, rate):
        count, _ = super().parse_rate(rate)
        return count, 4

    def get_cache_key(self, request, view):
        return f"throttle-{self.get_ident(request)}"


def view(pagination: type, **attributes):
    attributes = {"queryset": Post.objects.all(), "serializer_class": PostSerializer,
                  "pagination_class": pagination, **attributes}
    return type("PostList", (generics.ListAPIView,), attributes).as_view()


def api(pagination: type):
    return view(pagination, serializer_class=ApiSerializer, resource_name="posts",
                renderer_classes=[api_renderers.JSONRenderer])


urlpatterns = [
    path("page/", view(Numbers)),
    path("offset/", view(Offsets)),
    path("cursor/", view(Cursors)),
    path("throttled/page/", view(Numbers, throttle_classes=[Throttle])),
    path("throttled/cursor/", view(Cursors, throttle_classes=[Throttle])),
    path("jsonapi/page/", api(ApiNumbers)),
    path("jsonapi/offset/", api(ApiOffsets)),
]


class Quiet(WSGIRequestHandler):
    def log_message(self, *_):
        pass


if __name__ == "__main__":
    from django.core.wsgi import get_wsgi_application

    make_server("127.0.0.1", int(sys.argv[2]), get_wsgi_application(), handler_class=Quiet).serve_forever()
