#!/bin/sh
# Runs once, in an empty database server: a user and its databases for the service, and for Temporal.
set -eu

make_user() { # name, file with its password
  psql --set=ON_ERROR_STOP=1 --username=postgres --set=name="$1" --set=file="$2" <<'SQL'
\set password `cat :'file'`
create role :"name" login password :'password';
SQL
}

make_user steadypay /run/secrets/steadypay_password
make_user temporal /run/secrets/temporal_password
createdb --username=postgres --owner=steadypay steadypay
createdb --username=postgres --owner=temporal temporal
createdb --username=postgres --owner=temporal temporal_visibility
for name in steadypay temporal temporal_visibility; do
  psql --set=ON_ERROR_STOP=1 --username=postgres --command="revoke connect on database $name from public"
done
