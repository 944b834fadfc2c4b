import { agendaSources, labelled } from '../../db/sight/agenda.ts'
import { openRowsSql, openSources } from '../../commands/open-rows.ts'
import { waitingProcesses } from '../../domain/sight/agenda.ts'
import type { RowProcess } from '../../domain/processes.ts'

/** Processes that wait for no outsider, and so for nothing that an agenda would show. */
const withoutAgenda: readonly RowProcess[] = ['webhook-recovery', 'clock']

/** What must hold for the agenda at a moment, in milliseconds since the epoch. */
export function agendaRules(at: number): Record<string, string> {
  const moment = `'${new Date(at).toISOString()}'::timestamptz`
  const waits = agendaSources
    .map((source) => `select '${waitingProcesses[source.resource]}' as process, w.id from (${labelled(source)}) w`)
    .join(' union all ')
    .replaceAll('?', moment)
  // The wait of a payment is a wait of its session's or its subscription's process, or of its own: a deposit's.
  const waiter = `case when p.id is null or p.checkout_id is not null then w.process
    when p.subscription_id is null then 'deposit' else 'subscription' end`
  const waiting = `select ${waiter} as process, coalesce(p.checkout_id, p.subscription_id, w.id) as id
    from (${waits}) w left join payments p on p.id = w.id`
  const open = openSources
    .filter(({ process }) => !withoutAgenda.includes(process))
    .map((source) => `select '${source.process}' as process, o.id from (${openRowsSql(source, at)}) o`)
    .join(' union all ')
  return {
    'every open row is in the agenda': `select * from ((${open}) except ${waiting}) missing`,
    'every row in the agenda is open': `select * from (${waiting} except (${open})) stale`,
  }
}
