#!/usr/bin/env bash
# What the tests need beside Python and Node: PostgreSQL, Chromium, fonts. As root on Debian it is
# installed; anybody else is told exactly what is missing.
set -euo pipefail
missing=()
has_postgres() { command -v initdb >/dev/null || compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null; }
has_postgres || missing+=(postgresql-15)
command -v chromium >/dev/null || missing+=(chromium)
[ -d /usr/share/fonts/truetype/dejavu ] || missing+=(fonts-dejavu-core)
[ ${#missing[@]} -eq 0 ] && exit 0
if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
  echo "The tests need these Debian packages, which are missing here: ${missing[*]}" >&2
  echo "As root: apt-get install ${missing[*]}" >&2
  exit 1
fi
echo "Installing ${missing[*]} ..."
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
# The Debian package would start a server of its own; the tests start theirs.
mkdir -p /etc/postgresql-common
[ -e /etc/postgresql-common/createcluster.conf ] || echo 'create_main_cluster = false' >/etc/postgresql-common/createcluster.conf
apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
