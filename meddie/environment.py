"""The only reader of the environment: one declaration for each variable.

Only values that differ between deployments are variables. `make docs` writes them with
their texts into docs/settings.md.
"""

import os
from pathlib import Path
from typing import Any

from environs import Env, validate

from meddie.variables import Variables

BASE_DIR = Path(__file__).resolve().parent.parent
LOOPBACK = ["127.0.0.1", "localhost", "[::1]"]

env = Env()
env.read_env(os.environ.get("ENV_FILE", BASE_DIR / ".env"), recurse=False)

OF_A_HEADER = validate.Regexp(
    r"\s*[!-~]*\s*\Z", error="has characters that no header can carry"
)

WITHOUT_A_PATH = validate.Regexp(
    r"(https?://[^/\s]+/?)?\Z",
    error="has to be https://HOST: Meddie needs a host name of its own, without a path",
)

models = Variables("Models")
OPENAI_API_KEY = models.read(
    env.str,
    "OPENAI_API_KEY",
    "",
    "key of the provider; without one the stand-in answers",
    validate=OF_A_HEADER,
)
OPENAI_BASE_URL = models.read(
    env.str, "OPENAI_BASE_URL", "https://api.openai.com/v1", "address of the provider"
)
CHAT_MODEL = models.read(env.str, "CHAT_MODEL", "gpt-5-mini", "answers")
CHAT_MODELS: list[str] = models.read(
    env.list,
    "CHAT_MODELS",
    [],
    "further models that answer, of which users choose one for each conversation",
)
FAST_MODEL = models.read(
    env.str, "FAST_MODEL", "gpt-5-nano", "writes titles, and resolves facts"
)
EXTRACTION_MODEL = (
    models.read(
        env.str,
        "EXTRACTION_MODEL",
        "",
        "extracts facts from messages in the background; without it `FAST_MODEL` does",
    )
    or FAST_MODEL
)
EXTRACTION_API_KEY = models.read(
    env.str,
    "EXTRACTION_API_KEY",
    "",
    "key of a separate provider for these facts",
    validate=OF_A_HEADER,
)
EXTRACTION_BASE_URL = models.read(
    env.str, "EXTRACTION_BASE_URL", "", "address of this provider"
)
VISION_MODEL = models.read(env.str, "VISION_MODEL", "gpt-5-mini", "describes pictures")
TRANSCRIPTION_MODEL = models.read(
    env.str,
    "TRANSCRIPTION_MODEL",
    "gpt-4o-mini-transcribe",
    "transcribes recordings; empty for a provider without such a model",
)
MODEL_SLOTS: int | None = models.read(
    env.int,
    "MODEL_SLOTS",
    None,
    "answers that a server of your own writes at once, 0 for as many as are asked for;"
    " without it the server is asked ([operating.md](operating.md))",
    validate=validate.Range(0),
)
EMBEDDING_MODEL = models.read(
    env.str,
    "EMBEDDING_MODEL",
    "text-embedding-3-small",
    "embeds texts; `universal-sentence-encoder-multilingual-3` is the bundled model, also"
    " used without a key",
)
EMBEDDING_API_KEY = (
    models.read(
        env.str,
        "EMBEDDING_API_KEY",
        "",
        "key of a separate provider of embeddings",
        validate=OF_A_HEADER,
    )
    or OPENAI_API_KEY
)
EMBEDDING_BASE_URL = (
    models.read(env.str, "EMBEDDING_BASE_URL", "", "address of this provider")
    or OPENAI_BASE_URL
)

prompts = Variables("Prompts")
PROMPT_TOKENS = prompts.read(
    env.int,
    "PROMPT_TOKENS",
    12_000,
    "estimated tokens of one prompt; older messages are dropped first",
)
RECENT_MESSAGES = prompts.read(
    env.int,
    "RECENT_MESSAGES",
    20,
    "messages in a prompt as they were written, 10 to 120; a summary of older ones leaves"
    " half of them",
    validate=validate.Range(10, 120),
)

CHUNK_MESSAGES = prompts.read(
    env.int,
    "CHUNK_MESSAGES",
    20,
    "messages without a chunk at which all but the last ten are summed up, 11 to 30"
    " ([summaries.md](summaries.md))",
    validate=validate.Range(11, 30),
)
SUMMARY_MESSAGES = prompts.read(
    env.int,
    "SUMMARY_MESSAGES",
    10,
    "new messages after which the summary of a conversation so far is renewed",
    validate=validate.Range(1, 60),
)
EPISODE_HOURS = prompts.read(
    env.int,
    "EPISODE_HOURS",
    8,
    "a longer pause of the user begins an episode and, on Telegram, a conversation",
    validate=validate.Range(1, 168),
)

addresses = Variables("Addresses")
PUBLIC_URL = addresses.read(
    env.str,
    "PUBLIC_URL",
    "",
    "Meddie's public address; `https://` makes cookies secure and tells browsers to use"
    " nothing else for a year",
    validate=WITHOUT_A_PATH,
).rstrip("/")
ALLOWED_HOSTS: list[str] = addresses.read(
    env.list, "ALLOWED_HOSTS", LOOPBACK, "accepted host names"
)
CORS_ORIGINS: list[str] = addresses.read(
    env.list,
    "CORS_ORIGINS",
    [],
    "origins of web pages that may call the addresses with a key from a browser",
)
PORT = addresses.read(
    env.int, "PORT", 8000, "port of `make run`", validate=validate.Range(1, 65535)
)
addresses.describe(
    "FORWARDED_ALLOW_IPS",
    "127.0.0.1",
    "addresses of the reverse proxy (in `compose.yaml` Docker's networks); without them all"
    " visitors share its address, and its limit on failed sign-ins",
)
TELEGRAM_API_URL = addresses.read(
    env.str,
    "TELEGRAM_API_URL",
    "https://api.telegram.org",
    "Bot API of new bots; superusers change it for one bot in the admin",
)

secrets = Variables("Secrets")
SECRET_KEY = secrets.read(
    env.str,
    "SECRET_KEY",
    "",
    "signs sessions; without it one is generated and kept in `.data/`",
)
FIELD_KEYS: list[str] = secrets.read(
    env.list,
    "FIELD_KEYS",
    [],
    "encrypt bot tokens: the first encrypts, all decrypt; without them one is generated and"
    " kept in `.data/`",
)
METRICS_TOKEN = secrets.read(
    env.str,
    "METRICS_TOKEN",
    "",
    "Bearer token of `/metrics`; without it only the same machine sees that page"
    " ([metrics.md](metrics.md))",
)
OPENWEBUI_JWT_SECRET = secrets.read(
    env.str,
    "OPENWEBUI_JWT_SECRET",
    "",
    "the same as Open WebUI's `FORWARD_USER_INFO_HEADER_JWT_SECRET`, at least 32 bytes;"
    " then only its signed tokens name users, and no plain headers",
)
secrets.describe(
    "POSTGRES_PASSWORD", "meddie", "password of the PostgreSQL in `compose.yaml`"
)

servers = Variables("Servers")
DATABASE_URL = servers.read(
    env.str,
    "DATABASE_URL",
    "",
    "PostgreSQL 15 or newer with pgvector 0.8; without it the bundled one",
)
REDIS_URL = servers.read(
    env.str, "REDIS_URL", "", "broker and reply log; without it the bundled Valkey"
)
OTEL_EXPORTER_OTLP_ENDPOINT = servers.read(
    env.str, "OTEL_EXPORTER_OTLP_ENDPOINT", "", "where traces are sent (operating.md)"
)
servers.describe(
    "WEB_CONCURRENCY",
    1,
    "web processes on one port; each has the embedding model (230 MB) and connections of"
    " its own. On two cores one is as fast as two",
)

limits = Variables("Limits")
DAILY_MESSAGES: int | None = limits.read(
    env.int,
    "DAILY_MESSAGES",
    None,
    "messages and API calls of one user on one day (UTC); without it 200 where a model"
    " answers, and no limit where the stand-in does",
)
DAILY_BACKGROUND_CALLS = limits.read(
    env.int,
    "DAILY_BACKGROUND_CALLS",
    1000,
    "calls beside replies for one user on one day (UTC); jobs beyond wait for the next",
)
QUOTA_MB = limits.read(
    env.int,
    "QUOTA_MB",
    200,
    "messages, memories and files of one user, in all their spaces; replies do not count",
    validate=validate.Range(0),
)
FILE_MB = limits.read(env.int, "FILE_MB", 20, "largest file ([files.md](files.md))")
MAX_BODY_MB = limits.read(
    env.int, "MAX_BODY_MB", 25, "size of a request's body", validate=validate.Range(1)
)
output = Variables("Files, mail and log")
output.describe(
    "MEDDIE_DATA", ".data", "folder of the bundled servers, of secrets and of files"
)
output.describe("ENV_FILE", ".env", "the file with these variables")
FILES_URL = output.read(
    env.str,
    "FILES_URL",
    "",
    "a bucket for files, `s3://KEY:SECRET@HOST/BUCKET?region=REGION`; without it a folder"
    " in `.data`",
)
EMAIL: dict[str, Any] = output.read(
    env.dj_email_url,
    "EMAIL_URL",
    "console:",
    "mail server for invitations and password resets; the console shows the links that"
    " mails contain",
)
DEFAULT_FROM_EMAIL = output.read(
    env.str, "DEFAULT_FROM_EMAIL", "meddie@localhost", "sender of mails"
)
LOG_LEVEL = output.read(
    env.log_level,
    "LOG_LEVEL",
    "INFO",
    "logs contain keys, and no texts of users, passwords or links; configure your own"
    " PostgreSQL with `log_min_error_statement=panic` and `log_error_verbosity=terse` for"
    " the same",
)
output.describe("NO_COLOR", "", "with any value `make run` prints no colours")

# Variables of 0.2.0: `manage.py check` says that they are no longer read.
FORMER_VARIABLES = """IMAGE_MB DOCUMENT_MB AUDIO_MB MAX_BODY_SECONDS MAX_WEBHOOK_KB CONTEXT_TOKENS
CHAT_IMAGES JOURNALS_FOLDER DATABASE_POOL_SIZE"""
IGNORED_VARIABLES = [name for name in FORMER_VARIABLES.split() if env.str(name, "")]
