import { defineEntity, p } from '@mikro-orm/core'
import type { EntityManager } from './database.ts'
import { type Queue, queues } from '../../domain/process-contract.ts'
import { isOwned, moment } from './columns.ts'
import { isKnownProcess, outboxTurn, outboxTurns } from './outbox.ts'

const schema = defineEntity({
  name: 'OverloadedAccount',
  tableName: 'overloaded_accounts',
  properties: {
    accountId: p.string().primary().check(isOwned),
    queue: p.enum(queues).primary(),
    until: moment(),
    behindMs: p.integer().default(0),
  },
})
/** An account whose dispatches wait too long, as a worker has noticed. The table is unlogged. */
export class OverloadedAccount extends schema.class {}
schema.setClass(OverloadedAccount)

/** From this many seconds of waiting on, an account is noted as overloaded. */
const behindSeconds: Record<Queue, number> = { main: 20, webhooks: 1 }
export const behindMaxMs = 1_000 * Math.max(...Object.values(behindSeconds))

/**
 * Notes, for two seconds, the accounts whose dispatches have waited too long, and for how long. Dispatches that the
 * engine has refused, and those of processes that only other releases know, do not count. Returns how many accounts
 * there are.
 */
export async function noteOverloaded(em: EntityManager): Promise<number> {
  const noted = await em.execute(
    `with recursive ${outboxTurns()}
     insert into overloaded_accounts (account_id, queue, until, behind_ms)
     select substring(turn from '/begin/(.*)$'), split_part(turn, '/', 1), now() + interval '2 seconds',
       least(extract(epoch from now() - created_at) * 1000, 1000000000)::int
     from turns t cross join lateral (
       select created_at from outbox where ${outboxTurn} = t.turn and last_error is null and ${isKnownProcess}
       order by id limit 1) oldest
     where turn like '%/begin/%' and created_at < now() - make_interval(secs =>
       case split_part(turn, '/', 1) when 'main' then ${behindSeconds.main} else ${behindSeconds.webhooks} end)
     on conflict (account_id, queue) do update set until = excluded.until, behind_ms = excluded.behind_ms
     returning 1`,
    [''],
  )
  return noted.length
}

/** How long the dispatches of accounts have waited in each queue, in milliseconds. */
export async function readOverloaded(em: EntityManager): Promise<Record<Queue, Map<string, number>>> {
  const rows = await em.execute<{ accountId: string; queue: Queue; behindMs: number }[]>(
    `select account_id as "accountId", queue, behind_ms as "behindMs" from overloaded_accounts where until > now()`,
  )
  const of = (queue: Queue) =>
    new Map(rows.filter((row) => row.queue === queue).map(({ accountId, behindMs }) => [accountId, behindMs]))
  return { main: of('main'), webhooks: of('webhooks') }
}
