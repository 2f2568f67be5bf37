"""Django's settings: the variables of the environment, and what follows from them."""

import dj_database_url
from csp.constants import NONE, SELF

from meddie import environment
from meddie.embedded.locations import locations
from meddie.environment import *  # noqa: F403 -- each variable is a setting
from meddie.file_storage import storage_options
from meddie.languages import LANGUAGES as KNOWN

DEBUG = False
SECRET_KEY = environment.SECRET_KEY or locations().secret_key()
HTTPS = environment.PUBLIC_URL.startswith("https://")
LOCAL = not environment.PUBLIC_URL and set(environment.ALLOWED_HOSTS).issubset(
    environment.LOOPBACK
)
CSRF_TRUSTED_ORIGINS = [environment.PUBLIC_URL] if environment.PUBLIC_URL else []
CSRF_COOKIE_SECURE = SESSION_COOKIE_SECURE = HTTPS
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if HTTPS else 0
SESSION_COOKIE_AGE = 30 * 24 * 3600

INSTALLED_APPS = [
    "meddie",
    "people.apps.ProgramsConfig",  # first: people.admin takes its pages away
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
    "corsheaders.middleware.CorsMiddleware",
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
# A page of another origin needs a key: no cookie is sent or taken.
CORS_ALLOWED_ORIGINS = environment.CORS_ORIGINS
CORS_URLS_REGEX = r"^/(v[123]|api|mcp|\.well-known|register|token|revoke)(/|$)"
CORS_ALLOW_HEADERS = ("*", "authorization")  # the asterisk does not include it
CORS_EXPOSE_HEADERS = ("*",)
ROOT_URLCONF = "meddie.urls"
ASGI_APPLICATION = "meddie.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [environment.BASE_DIR / "templates"],
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
BUNDLED_DATABASE = not environment.DATABASE_URL
BUNDLED_BROKER = not environment.REDIS_URL
_database = (
    dj_database_url.parse(locations().database_url)
    if BUNDLED_DATABASE
    else environment.env.dj_db_url("DATABASE_URL")
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
                "max_size": 10,  # connections of one process
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
REDIS_URL = environment.REDIS_URL or locations().redis_url

# Estimated tokens of all that is remembered in a prompt, beside recent messages.
CONTEXT_TOKENS = environment.PROMPT_TOKENS // 3

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

# Programs sign in by OAuth for /mcp alone (decision 62).
OAUTH2_PROVIDER_APPLICATION_MODEL = "people.Program"
OAUTH2_PROVIDER_GRANT_MODEL = "people.ProgramCode"
OAUTH2_PROVIDER_ACCESS_TOKEN_MODEL = "people.AccessToken"  # noqa: S105
OAUTH2_PROVIDER_REFRESH_TOKEN_MODEL = "people.RefreshToken"  # noqa: S105
OAUTH2_PROVIDER = {
    "OAUTH2_SERVER_CLASS": "oauthlib.oauth2.WebApplicationServer",
    "OAUTH2_VALIDATOR_CLASS": "people.programs.Validator",
    "OIDC_ISS_ENDPOINT": environment.PUBLIC_URL.rstrip("/"),
    "SCOPES": {"memory": "Read and change what Meddie remembers"},
    "ALLOWED_REDIRECT_URI_SCHEMES": [
        *("http", "https"),  # http for programs on the same computer
        *("cursor", "vscode", "vscode-insiders"),
    ],
    "ALLOW_LOCALHOST_LOOPBACK": True,
    "ACCESS_TOKEN_EXPIRE_SECONDS": 3600,
    "REFRESH_TOKEN_EXPIRE_SECONDS": 90 * 24 * 3600,  # without use
    "REFRESH_TOKEN_REUSE_PROTECTION": True,
    "DCR_ENABLED": True,
    "DCR_REGISTRATION_PERMISSION_CLASSES": [
        "oauth2_provider.dcr.AllowAllDCRPermission"
    ],
    "DCR_REGISTRATION_TOKEN_EXPIRE_SECONDS": 24 * 3600,
    "CIMD_ENABLED": True,
    "OAUTH2_RESPONSE_TYPES_SUPPORTED": ["code"],
    "OAUTH2_GRANT_TYPES_SUPPORTED": ["authorization_code", "refresh_token"],
    "OAUTH2_TOKEN_ENDPOINT_AUTH_METHODS_SUPPORTED": [
        *("none", "client_secret_post", "client_secret_basic")
    ],
    "OAUTH2_PROTECTED_RESOURCE_NAME": "Meddie",
    "COMPLIANT_BCP_RFC9700_IMPLICIT_GRANT": True,
    "COMPLIANT_BCP_RFC9700_PASSWORD_GRANT": True,
    "COMPLIANT_BCP_RFC9700_PKCE_METHOD": True,
    "COMPLIANT_BCP_RFC9700_ACCESS_TOKEN_TRANSPORT": True,
    "COMPLIANT_BCP_RFC9700_AUTHZ_RESPONSE_ISS": True,
    "COMPLIANT_BCP_RFC9700_TOKEN_STORAGE": True,
}

LANGUAGE_CODE = "en"
LANGUAGES = [(known.code, known.interface) for known in KNOWN if known.interface]
FORMAT_MODULE_PATH = ["meddie.formats"]
LOCALE_PATHS = [environment.BASE_DIR / "locale"]
TIME_ZONE = "UTC"

STATIC_URL = "static/"
STATICFILES_DIRS = [environment.BASE_DIR / "static"]
STATIC_ROOT = locations().data / "static"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "attachments": storage_options(
        environment.FILES_URL, locations().data / "attachments"
    ),
    "staticfiles": {
        "BACKEND": "servestatic.storage.CompressedManifestStaticFilesStorage"
    },
}
SERVESTATIC_USE_FINDERS = True
# For operators alone: no page serves it, and no prompt is made of it.
JOURNALS_FOLDER = str(locations().data / "journals")

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

vars().update(environment.EMAIL)
EMAIL_TIMEOUT = 10

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
    "root": {"handlers": ["stderr"], "level": environment.LOG_LEVEL},
    "loggers": {
        "django.security.DisallowedHost": {"filters": ["without_traceback"]},
        "celery": {"level": "WARNING"},  # else two lines for each task
        "httpx2": {"level": "WARNING"},  # else lines with the tokens of bots
        "oauth2_provider": {"level": "WARNING"},  # else addresses of programs
        "mcp": {"level": "WARNING"},  # else two lines for each request
        # Else they have handlers of their own, which show whole paths.
        "uvicorn": {"propagate": True},
        "uvicorn.error": {"propagate": True},
        "uvicorn.access": {"propagate": True},
        "django.server": {"propagate": True},
    },
}
