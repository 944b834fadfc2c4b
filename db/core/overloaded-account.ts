import { defineEntity, p } from '@mikro-orm/core'
import type { EntityManager } from './database.ts'
import { type Queue, queues } from '../../domain/process-contract.ts'
import { isOwned, moment } from './columns.ts'
import { outboxTurn } from './outbox.ts'

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
/** An account that asks for more than the workers do, by the word of a worker; the table is unlogged. */
export class OverloadedAccount extends schema.class {}
schema.setClass(OverloadedAccount)

/** From how many seconds on it is noted that an account is behind. */
const behindSeconds: Record<Queue, number> = { main: 20, webhooks: 1 }
export const behindMaxMs = 1_000 * Math.max(...Object.values(behindSeconds))

/**
 * Notes, for two seconds, the accounts of which something has been promised for long without having begun, and for how
 * long. What the engine has refused does not count. Answers how many there are.
 */
export async function noteOverloaded(em: EntityManager): Promise<number> {
  const noted = await em.execute(
    `with recursive turns as (
       (select ${outboxTurn} as turn from outbox order by turn limit 1)
       union all
       select next.turn from turns t cross join lateral (
         select ${outboxTurn} as turn from outbox where ${outboxTurn} > t.turn order by turn limit 1) next)
     insert into overloaded_accounts (account_id, queue, until, behind_ms)
     select substring(turn from '/begin/(.*)$'), split_part(turn, '/', 1), now() + interval '2 seconds',
       least(extract(epoch from now() - created_at) * 1000, 1000000000)::int
     from turns t cross join lateral (
       select created_at from outbox where ${outboxTurn} = t.turn and last_error is null order by id limit 1) oldest
     where turn like '%/begin/%' and created_at < now() - make_interval(secs =>
       case split_part(turn, '/', 1) when 'main' then ${behindSeconds.main} else ${behindSeconds.webhooks} end)
     on conflict (account_id, queue) do update set until = excluded.until, behind_ms = excluded.behind_ms
     returning 1`,
  )
  return noted.length
}

/** How far behind accounts are in each queue, in milliseconds. */
export async function readOverloaded(em: EntityManager): Promise<Record<Queue, Map<string, number>>> {
  const rows = await em.execute<{ accountId: string; queue: Queue; behindMs: number }[]>(
    `select account_id as "accountId", queue, behind_ms as "behindMs" from overloaded_accounts where until > now()`,
  )
  const of = (queue: Queue) =>
    new Map(rows.filter((row) => row.queue === queue).map(({ accountId, behindMs }) => [accountId, behindMs]))
  return { main: of('main'), webhooks: of('webhooks') }
}
