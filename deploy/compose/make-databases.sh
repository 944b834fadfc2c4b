#!/bin/sh
# The users and databases of the service and of Temporal, with the passwords of ./secrets. Safe to run again.
set -eu
PGPASSWORD=$(cat /run/secrets/postgres_password)
export PGPASSWORD

sql() { # --set=NAME=VALUE …
  psql --quiet --set=ON_ERROR_STOP=1 --host=postgres --username=postgres --dbname=postgres "$@"
}

make_user() { # name, file with its password
  sql --set=name="$1" --set=file="$2" <<'SQL'
\set password `cat :'file'`
select format('create role %I login', :'name')
where not exists (select from pg_roles where rolname = :'name') \gexec
alter role :"name" password :'password';
SQL
}

make_database() { # name, owner
  sql --set=name="$1" --set=owner="$2" <<'SQL'
select format('create database %I owner %I', :'name', :'owner')
where not exists (select from pg_database where datname = :'name') \gexec
revoke connect on database :"name" from public;
SQL
}

make_user steadypay /run/secrets/steadypay_password
make_user temporal /run/secrets/temporal_password
make_database steadypay steadypay
make_database temporal temporal
make_database temporal_visibility temporal
