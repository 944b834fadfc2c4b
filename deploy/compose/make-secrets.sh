#!/bin/sh
# Makes the secrets of compose.yaml in ./secrets, once: what is there stays. Keep a copy elsewhere: without
# encryption_keys nobody can read what is stored encrypted, and without key_pepper every API key is invalid.
set -eu
cd "$(dirname "$0")/../.."
umask 077
mkdir -p secrets

make() { # name, text
  [ -e "secrets/$1" ] || printf '%s' "$2" >"secrets/$1"
}

# Each in a variable first, so that the script ends where openssl fails or is missing.
for name in postgres steadypay temporal; do
  password=$(openssl rand -hex 24)
  make "${name}_password" "$password"
done
key=$(openssl rand -base64 32)
make encryption_keys "k1:$key"
pepper=$(openssl rand -base64 32)
make key_pepper "$pepper"
make database_url "postgres://steadypay:$(cat secrets/steadypay_password)@postgres:5432/steadypay"
# Until 2026-11-27 these two were variables in .env: what is given there is taken over. No rates: the sandbox's own.
given() { # name
  [ ! -f .env ] || sed -n "s/^$1=//p" .env | tail -n 1 | sed "s/^['\"]//; s/['\"]\$//"
}
rates=$(given RATES_URL)
smtp=$(given SMTP_URL)
make rates_url "$rates"
make smtp_url "${smtp:-smtp://mail:1025}"
# Containers without root read them: the folder is closed to others, and the files are readable within it.
chmod 700 secrets
chmod 444 secrets/*
# So do those that compose mounts from here. A checkout may have closed these to all but its owner.
chmod a+r deploy/compose/make-databases.sh deploy/compose/temporal-schema.sh deploy/temporal/dynamic-config.yaml
echo 'The secrets are in ./secrets. Keep a copy of them elsewhere.'
