# web, control worker and beat: one image, three commands. It holds no inference library.
FROM node:20.19.5-bookworm-slim AS page
WORKDIR /build
COPY frontend/package.json frontend/package-lock.json frontend/.npmrc ./
RUN npm ci --no-audit --no-fund
COPY frontend/ ./
RUN npm run build

FROM python:3.11.13-slim-bookworm
ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=/srv/whetstone:/srv/whetstone/platform \
    DJANGO_SETTINGS_MODULE=whetstone.config.settings WHETSTONE_DATA_DIR=/var/lib/whetstone
RUN groupadd --system --gid 10001 whetstone \
    && useradd --system --uid 10001 --gid whetstone --home-dir /var/lib/whetstone --create-home whetstone \
    && install -d -o whetstone -g whetstone /run/whetstone
WORKDIR /srv/whetstone
COPY requirements/web.txt requirements/
RUN pip install --no-cache-dir --no-deps --require-hashes -r requirements/web.txt
COPY manage.py ./
COPY docker/ docker/
COPY optimizers/__init__.py optimizers/
COPY optimizers/spec/ optimizers/spec/
COPY optimizers/search/ optimizers/search/
COPY workers/__init__.py workers/
COPY workers/control/ workers/control/
COPY platform/ platform/
COPY --from=page /build/dist frontend/dist/
USER 10001:10001
EXPOSE 8000
CMD ["docker/web.sh"]
