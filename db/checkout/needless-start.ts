import type { EntityManager } from '../core/database.ts'
import { outboxTurn, outboxTurns } from '../core/outbox.ts'

/** The turns of plain starts on the main queue. */
const beginning = 'main/begin/'
/** Rows of one merchant that are looked at by one statement. */
const ofTurnMax = 200

/**
 * Deletes the outbox rows that start the process of a session which has gone on since: a payment starts the process
 * itself. Where the workers have more to do than they can, relays start few processes. These rows would then wait, and
 * their merchant would count as overloaded although every sale is made. Only rows that have waited for two seconds are
 * looked at: mostly the process is started long before anybody pays. Returns how many rows are gone.
 */
export async function dropNeedlessStarts(em: EntityManager): Promise<number> {
  const dropped = await em.execute(
    `with recursive ${outboxTurns(beginning)},
     waiting as materialized (
       select o.id, o.process, o.resource_id, o.anew from turns t cross join lateral (
         select id, process, resource_id, anew from outbox
         where ${outboxTurn} = t.turn and created_at < now() - interval '2 seconds'
         order by id limit ${ofTurnMax} for update skip locked) o)
     delete from outbox where id in (
       select w.id from waiting w join checkouts c on c.id = w.resource_id
       where w.process = 'checkout' and not w.anew and (c.status <> 'open' or c.payment_id is not null))
     returning 1`,
    [beginning],
  )
  return dropped.length
}
