#!/usr/bin/env bash
# The Temporal service for development, alone: ./temporal-dev.sh
# `npm start` and `npm test` call this script too, so these settings stand in one place.
#
#   TEMPORAL_PORT (7233), TEMPORAL_UI_PORT (8233; "off" for no UI), TEMPORAL_DB_FILE (.local/temporal.db),
#   TEMPORAL_BINARY (looked for as scripts/temporal-binary.ts says),
#   TEMPORAL_EVENTS_OF_RUN (after how many events a process is to continue in a new run; 4096)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

binary=${TEMPORAL_BINARY:-$(node scripts/run.mjs scripts/temporal-binary.ts)}
database=${TEMPORAL_DB_FILE:-.local/temporal.db}
mkdir -p "$(dirname "$database")"

flags=(
  --ip 127.0.0.1
  --port "${TEMPORAL_PORT:-7233}"
  # A file survives a restart; without one everything is lost. WAL and synchronous=NORMAL still survive a crash of
  # the process, and make the difference between 37 and 128 update-with-starts a second.
  --db-filename "$database"
  --sqlite-pragma journal_mode=wal
  --sqlite-pragma synchronous=1
  --log-level "${TEMPORAL_LOG_LEVEL:-warn}"
)
if [ "${TEMPORAL_UI_PORT:-}" = off ]; then
  flags+=(--headless)
else
  flags+=(--ui-ip 127.0.0.1 --ui-port "${TEMPORAL_UI_PORT:-8233}")
fi
# With its one history shard the stock server lets each queue reader poll 20 times a second: up to 50 ms a task.
for queue in transfer timer visibility; do
  flags+=(--dynamic-config-value "history.${queue}ProcessorMaxPollRPS=2000")
done
# One partition: with few tasks, several only add hops between them.
for kind in Read Write; do
  flags+=(--dynamic-config-value "matching.numTaskqueue${kind}Partitions=1")
done
# Tasks of different fairness keys (engine/engine.ts) take turns, so one merchant's backlog delays nobody else's.
flags+=(
  --dynamic-config-value matching.useNewMatcher=true
  --dynamic-config-value matching.enableFairness=true
  # Signals that may wait for one task of a process: with 100, the default, processes were lost
  # (docs/operating/capacity.md).
  --dynamic-config-value history.maximumBufferedEventsBatch=10000
  # How old an answer about a queue may be (engine/start-gate.ts): 5 s otherwise.
  --dynamic-config-value 'matching.TaskQueueInfoByBuildIdTTL="100ms"'
)
if [ -n "${TEMPORAL_EVENTS_OF_RUN:-}" ]; then
  flags+=(--dynamic-config-value "limit.historyCount.suggestContinueAsNew=$TEMPORAL_EVENTS_OF_RUN")
fi
for attribute in AccountId Environment Resource State WaitingOn; do
  flags+=(--search-attribute "$attribute=Keyword")
done

# Collecting garbage less often takes memory, of which a development machine has more than of processor time.
export GOGC=${GOGC:-400}
exec "$binary" server start-dev "${flags[@]}" "$@"
