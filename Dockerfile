# One image for web, worker and beat; compose.yaml says how they are started.
FROM python:3.11-slim

ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 MEDDIE_DATA=/data
WORKDIR /srv/meddie
RUN apt-get update \
    && apt-get install -y --no-install-recommends libfribidi0 tesseract-ocr \
       tesseract-ocr-deu tesseract-ocr-pol tesseract-ocr-rus tesseract-ocr-spa \
    && rm -rf /var/lib/apt/lists/*
RUN useradd --uid 10001 meddie && install -d -o meddie /data /data/attachments /data/journals /data/tombstones /data/backups

COPY requirements-tracing.txt requirements-embedder.txt ./
RUN pip install --no-cache-dir --no-deps -r requirements-tracing.txt \
    && pip install --no-cache-dir --no-deps --require-hashes -r requirements-embedder.txt

COPY . .
RUN SECRET_KEY=while-building DATABASE_URL=postgres://none python manage.py translations --compile
USER meddie
# In the image, not in a volume: pages name their static files by hash.
RUN SECRET_KEY=while-building DATABASE_URL=postgres://none python manage.py collectstatic --noinput -v0

EXPOSE 8000
HEALTHCHECK --interval=15s --timeout=3s --start-period=20s CMD ["python", "-c", \
    "import urllib.request as r; r.urlopen('http://127.0.0.1:8000/healthz', timeout=2)"]
# No host: every interface, IPv6 too.
CMD ["uvicorn", "meddie.asgi:application", "--host", "", "--port", "8000", \
     "--lifespan", "on", "--timeout-graceful-shutdown", "3", \
     "--http", "meddie.http.header_deadline:HeaderDeadline"]
