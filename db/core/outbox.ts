import { defineEntity, p } from '@mikro-orm/core'
import type { About } from '../../domain/process-contract.ts'
import type { ProcessName } from '../../domain/processes.ts'
import { moment } from './columns.ts'

/** What the engine is to be dispatched: start the process, or start it if need be and signal it. */
export type OutboxSignal = { name: string; args: unknown[] }

/**
 * What takes turns with others in a sweep, such as `main/begin/acct_…` and `webhooks/go on/acct_…`: the queue of the
 * engine, whether a process is to begin or to hear something, and whose it is.
 */
export const outboxTurn =
  `(case when process like 'webhook-%' then 'webhooks' else 'main' end || ` +
  `case when signal is null then '/begin/' else '/go on/' end || coalesce(about ->> 'accountId', ''))`

const schema = defineEntity({
  name: 'OutboxRow',
  tableName: 'outbox',
  properties: {
    id: p.bigint().primary().autoincrement(),
    process: p.string().$type<ProcessName>().length(64),
    resourceId: p.string(),
    // What of one commit is dispatched in its order, one after another: the endpoint of a delivery, else the process
    // itself.
    orderingKey: p.string().default('').fieldName('lane'),
    signal: p.json<OutboxSignal>().strictNullable(),
    // Starts the process although an earlier run of it has completed: its row is open, and nothing works for it.
    anew: p.boolean().default(false),
    // What operators see in the engine's list: plain words and search attributes, no personal data.
    about: p.json<About>(),
    attempts: p.integer().default(0),
    lastError: p.string().length(500).strictNullable(),
    // The database's own time: this is plumbing, and business time may be skipped or moved.
    createdAt: moment().defaultRaw('now()'),
    // When a sweep may take it: at once, unless the process that commits it tells it itself.
    retryAt: moment().defaultRaw('now()'),
  },
  indexes: [
    { name: 'outbox_turn', expression: `create index "outbox_turn" on "outbox" (${outboxTurn}, "id")` },
    { name: 'outbox_unit', properties: ['createdAt', 'orderingKey', 'id'] },
  ],
})
/** A promise, in the same commit as the change, that a process will be dispatched; deleted once it has been. */
export class OutboxRow extends schema.class {}
schema.setClass(OutboxRow)
