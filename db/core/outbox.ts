import { defineEntity, p } from '@mikro-orm/core'
import { type About, queues } from '../../domain/process-contract.ts'
import { type ProcessName, processNames } from '../../domain/processes.ts'
import { moment } from './columns.ts'

/** The signal of a dispatch, if it has one: the process is then started if necessary, and signalled. */
export type OutboxSignal = { name: string; args: unknown[] }

/**
 * The group that takes turns with others in a sweep, such as `main/begin/acct_…` and `webhooks/go on/acct_…`: the
 * engine's queue, whether a process is started or signalled, and its account.
 */
export const outboxTurn =
  `(case when process like 'webhook-%' then 'webhooks' else 'main' end || ` +
  `case when signal is null then '/begin/' else '/go on/' end || coalesce(about ->> 'accountId', ''))`

/** Whether this release knows the process of a row. A newer release, which was rolled back or begins, knows others. */
export const isKnownProcess = `process in (${processNames.map((name) => `'${name}'`).join(', ')})`

/** The kinds of turns: each is followed by `/` and an account in {@link outboxTurn}. */
export const outboxKinds = queues.flatMap((queue) => [`${queue}/begin`, `${queue}/go on`])

/** The next turn that has rows, by a look at the index. */
const nextTo = (turn: string) =>
  `select ${outboxTurn} as turn from outbox where ${outboxTurn} > ${turn} order by turn limit 1`

/**
 * `turns` of a recursive query: each turn that has rows, in order, by a look at the index for each. The `?` is the turn
 * after which it begins. It ends with the first one that does not begin with `prefix`.
 */
export function outboxTurns(prefix = ''): string {
  const wanted = prefix === '' ? '' : ` where turn ^@ '${prefix}'`
  return `turns as (
    select turn from (${nextTo('?')}) first${wanted}
    union all
    select turn from (select next.turn from turns t cross join lateral (${nextTo('t.turn')}) next) following${wanted})`
}

/**
 * `turns` of a recursive query, as above, of one kind after the other. The two `?` are lists: the kinds, and where each
 * begins, which is after this turn, or the kind itself for its start. `place` is the place of its kind in the list. A
 * row without `has_rows` is no turn: there the next kind begins.
 */
export const outboxTurnsOfKinds = `
  asked as (select string_to_array(?, ',') as kinds, string_to_array(?, ',') as starts),
  turns as (
    select 1 as place, starts[1] as turn, false as has_rows from asked
    union all
    select t.place + (next.turn is null)::int, coalesce(next.turn, starts[t.place + 1]), next.turn is not null
    from turns t cross join asked
    left join lateral (${nextTo('t.turn')}) next on next.turn ^@ (kinds[t.place] || '/')
    where next.turn is not null or t.place < cardinality(kinds))`

const schema = defineEntity({
  name: 'OutboxRow',
  tableName: 'outbox',
  properties: {
    id: p.bigint().primary().autoincrement(),
    process: p.string().$type<ProcessName>().length(64),
    resourceId: p.string(),
    // Rows of one commit with the same key are dispatched one after another, in their order. It is the endpoint of a
    // delivery, else the process itself.
    orderingKey: p.string().default('').fieldName('lane'),
    signal: p.json<OutboxSignal>().strictNullable(),
    // Starts the process although an earlier run of it has completed, because its row is open and has no running
    // process.
    anew: p.boolean().default(false),
    // What operators see in the engine's list: plain words and search attributes, no personal data.
    about: p.json<About>(),
    attempts: p.integer().default(0),
    lastError: p.string().length(500).strictNullable(),
    // The database's own time, because business time may be skipped or moved.
    createdAt: moment().defaultRaw('now()'),
    // When a sweep may take it: at once, or later where the process that commits it dispatches it itself.
    retryAt: moment().defaultRaw('now()'),
  },
  indexes: [
    { name: 'outbox_turn', expression: `create index "outbox_turn" on "outbox" (${outboxTurn}, "id")` },
    { name: 'outbox_unit', properties: ['createdAt', 'orderingKey', 'id'] },
  ],
})
/** A dispatch of a process, stored in the same commit as the change. The row is deleted once it was dispatched. */
export class OutboxRow extends schema.class {}
schema.setClass(OutboxRow)
