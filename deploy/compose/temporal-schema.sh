#!/bin/sh
# Brings Temporal's two databases to the schema of this version. Safe to run again.
set -eu
SQL_PASSWORD=$(cat /run/secrets/temporal_password)
export SQL_PASSWORD

for name in temporal visibility; do
  database=temporal
  if [ "$name" = visibility ]; then database=temporal_visibility; fi
  tool() {
    temporal-sql-tool --plugin postgres12 --endpoint postgres --port 5432 --user temporal --database "$database" "$@"
  }
  tool setup-schema --version 0.0
  tool update-schema --schema-dir "/etc/temporal/schema/postgresql/v12/$name/versioned"
done
