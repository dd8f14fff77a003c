# The runner of a target machine: engines, and neither Django nor a database or storage client.
FROM python:3.11.13-slim-bookworm
ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=/srv/whetstone ORT_DISABLE_TELEMETRY=1
RUN groupadd --system --gid 10001 whetstone \
    && useradd --system --uid 10001 --gid whetstone --no-create-home whetstone \
    && install -d -o whetstone -g whetstone /scratch /run/whetstone
WORKDIR /srv/whetstone
COPY requirements/worker.txt requirements/
RUN pip install --no-cache-dir --no-deps --require-hashes -r requirements/worker.txt
COPY docker/ docker/
COPY optimizers/ optimizers/
COPY workers/__init__.py workers/
COPY workers/runner/ workers/runner/
USER 10001:10001
CMD ["python", "-m", "workers.runner"]
