"""The only reader of the environment: one declaration for each variable.

Only values that differ between deployments are settings.
"""

import logging
import os
from pathlib import Path

import dj_database_url
from csp.constants import NONE, SELF
from environs import Env, validate

from meddie.embedded.locations import locations
from meddie.file_storage import storage_options

BASE_DIR = Path(__file__).resolve().parent.parent
env = Env()
env.read_env(os.environ.get("ENV_FILE", BASE_DIR / ".env"), recurse=False)

DEBUG = False
SECRET_KEY = env.str("SECRET_KEY", "") or locations().secret_key()
FIELD_KEYS: list[str] = env.list("FIELD_KEYS", [])  # empty: one is generated and kept
LOOPBACK = ["127.0.0.1", "localhost", "[::1]"]
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", LOOPBACK)
PORT = env.int("PORT", 8000, validate=validate.Range(1, 65535))  # of `make run`
PUBLIC_URL = env.str("PUBLIC_URL", "").rstrip("/")
HTTPS = PUBLIC_URL.startswith("https://")
LOCAL = not PUBLIC_URL and set(ALLOWED_HOSTS).issubset(LOOPBACK)
CSRF_TRUSTED_ORIGINS = [PUBLIC_URL] if PUBLIC_URL else []
CSRF_COOKIE_SECURE = SESSION_COOKIE_SECURE = HTTPS
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
MAX_BODY_MB = env.int("MAX_BODY_MB", 25, validate=validate.Range(1))
MAX_BODY_SECONDS = env.int("MAX_BODY_SECONDS", 60, validate=validate.Range(1))
MAX_WEBHOOK_KB = env.int("MAX_WEBHOOK_KB", 256, validate=validate.Range(1))
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if HTTPS else 0
SESSION_COOKIE_AGE = 30 * 24 * 3600

INSTALLED_APPS = [
    "meddie",
    "conversations.web",
    "conversations.telegram",
    "conversations.api",
    "conversations.desk",
    "conversations",
    "memory",
    "people",
    "meddie.apps.AdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.messages",
    "django.contrib.postgres",
    "django.contrib.sessions",
    "servestatic.runserver_nostatic",
    "django.contrib.staticfiles",
    "axes",
    "csp",
    "django_htmx",
    "pgvector.django",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "servestatic.middleware.ServeStaticMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "axes.middleware.AxesMiddleware",
    "people.middleware.no_store",
    "people.middleware.LocaleMiddleware",
    "people.middleware.give_back_connection",  # last; all run in one thread
]
ROOT_URLCONF = "meddie.urls"
ASGI_APPLICATION = "meddie.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "people.context_processors.space",
            ],
        },
    }
]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Left out or left empty, the bundled servers are used.
BUNDLED_DATABASE = not env.str("DATABASE_URL", "")
BUNDLED_BROKER = not env.str("REDIS_URL", "")
_database = (
    dj_database_url.parse(locations().database_url)
    if BUNDLED_DATABASE
    else env.dj_db_url("DATABASE_URL")
)
DATABASES = {
    "default": {
        **_database,
        "ENGINE": _database["ENGINE"].replace(
            "django.db.backends.postgresql", "meddie.postgresql"
        ),
        "CONN_MAX_AGE": 0,
        "OPTIONS": {
            **_database.get("OPTIONS", {}),  # ?sslmode=require and the like
            "pool": {
                "min_size": 1,
                "max_size": env.int("DATABASE_POOL_SIZE", 10),
                "timeout": 10,
                # Seconds of growing pauses; then the next request tries at once.
                "reconnect_timeout": 10,
            },
            "connect_timeout": 5,
            # Two fifths of PostgreSQL's time was planning (decision 4).
            "server_side_binding": True,
            "prepare_threshold": 3,
            "options": "-c jit=off -c statement_timeout=15000"
            " -c hnsw.iterative_scan=strict_order -c hnsw.ef_search=200",
        },
    }
}
REDIS_URL = locations().redis_url if BUNDLED_BROKER else env.str("REDIS_URL")

AUTH_USER_MODEL = "people.User"
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "django.contrib.auth.backends.ModelBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "people.forms.NotPersonal"},
    {"NAME": "people.forms.NotCommon"},
]
LOGIN_URL = "people:sign_in"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "people:sign_in"
AXES_FAILURE_LIMIT = 10
AXES_COOLOFF_TIME = 0.25
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"], "ip_address", "username"]
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False
AXES_HANDLER = "people.throttling.SignInLimits"
AXES_CLIENT_IP_CALLABLE = "people.throttling.client_address"
AXES_USERNAME_FORM_FIELD = "username"  # Django's name for the address
AXES_USERNAME_CALLABLE = "people.throttling.sign_in_name"
AXES_LOCKOUT_TEMPLATE = "people/locked_out.html"
AXES_SENSITIVE_PARAMETERS = ["username", "ip_address", "next"]  # an invitation's path
AXES_VERBOSE = False

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("pl", "polski")]
FORMAT_MODULE_PATH = ["meddie.formats"]
LOCALE_PATHS = [BASE_DIR / "locale"]
TIME_ZONE = "UTC"

STATIC_URL = "static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATIC_ROOT = locations().data / "static"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "attachments": storage_options(
        env.str("FILES_URL", ""), locations().data / "attachments"
    ),
    "staticfiles": {
        "BACKEND": "servestatic.storage.CompressedManifestStaticFilesStorage"
    },
}
SERVESTATIC_USE_FINDERS = True
# For operators alone: no page serves it, and no prompt is made of it.
JOURNALS_FOLDER = env.str("JOURNALS_FOLDER", "") or locations().data / "journals"

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "img-src": [SELF, "data:"],
        "object-src": [NONE],
    }
}

vars().update(env.dj_email_url("EMAIL_URL", "console:"))
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = env.str("DEFAULT_FROM_EMAIL", "meddie@localhost")

CELERY_BROKER_URL = REDIS_URL.replace("unix://", "redis+socket://").replace(
    "?db=", "?virtual_host="
)
CELERY_TASK_IGNORE_RESULT = True
# The row is the job: an acknowledgement in Redis would end the worker when Redis fails.
CELERY_TASK_TIME_LIMIT = 1200
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "socket_timeout": 2,
    "socket_connect_timeout": 2,
    "ack_emulation": False,
}
CELERY_TASK_PUBLISH_RETRY = False
CELERY_WORKER_ENABLE_REMOTE_CONTROL = False  # the bundled Redis runs no scripts

OPENAI_API_KEY = env.str("OPENAI_API_KEY", "")
OPENAI_BASE_URL = env.str("OPENAI_BASE_URL", "https://api.openai.com/v1")
CHAT_MODEL = env.str("CHAT_MODEL", "gpt-5-mini")
FAST_MODEL = env.str("FAST_MODEL", "gpt-5-nano")
EXTRACTION_MODEL = env.str("EXTRACTION_MODEL", "") or FAST_MODEL
EXTRACTION_API_KEY = env.str("EXTRACTION_API_KEY", "")
EXTRACTION_BASE_URL = env.str("EXTRACTION_BASE_URL", "")
VISION_MODEL = env.str("VISION_MODEL", "gpt-5-mini")
CHAT_IMAGES = env.bool("CHAT_IMAGES", True)
TRANSCRIPTION_MODEL = env.str("TRANSCRIPTION_MODEL", "gpt-4o-mini-transcribe")
EMBEDDING_MODEL = env.str("EMBEDDING_MODEL", "text-embedding-3-small")
EMBEDDING_API_KEY = env.str("EMBEDDING_API_KEY", "") or OPENAI_API_KEY
EMBEDDING_BASE_URL = env.str("EMBEDDING_BASE_URL", "") or OPENAI_BASE_URL
METRICS_TOKEN = env.str("METRICS_TOKEN", "")
OPENWEBUI_JWT_SECRET = env.str("OPENWEBUI_JWT_SECRET", "")
DAILY_MESSAGES = env.int("DAILY_MESSAGES", 200)
FILE_QUOTA_MB = env.int("FILE_QUOTA_MB", 200, validate=validate.Range(0))
IMAGE_MB = env.int("IMAGE_MB", 20)
DOCUMENT_MB = env.int("DOCUMENT_MB", 20)
AUDIO_MB = env.int("AUDIO_MB", 20)
PROMPT_TOKENS = env.int("PROMPT_TOKENS", 12_000)
CONTEXT_TOKENS = env.int("CONTEXT_TOKENS", 4_000)
RECENT_MESSAGES = env.int("RECENT_MESSAGES", 20, validate=validate.Range(10, 120))
TELEGRAM_API_URL = env.str("TELEGRAM_API_URL", "https://api.telegram.org")

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {
            "()": "meddie.logs.RedactingFormatter",
            "format": "%(asctime)s %(levelname)s %(name)s %(message)s",
        }
    },
    "filters": {"without_traceback": {"()": "meddie.logs.WithoutTraceback"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["stderr"], "level": env.log_level("LOG_LEVEL", logging.INFO)},
    "loggers": {
        "django.security.DisallowedHost": {"filters": ["without_traceback"]},
        "celery": {"level": "WARNING"},  # else two lines for each task
        "httpx2": {"level": "WARNING"},  # else lines with the tokens of bots
        "mcp": {"level": "WARNING"},  # else two lines for each request
        # Else they have handlers of their own, which show whole paths.
        "uvicorn": {"propagate": True},
        "uvicorn.error": {"propagate": True},
        "uvicorn.access": {"propagate": True},
        "django.server": {"propagate": True},
    },
}
