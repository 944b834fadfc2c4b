import type { RowProcess } from '../../domain/processes.ts'
import { rowProcesses, rowProcessNames } from './resources.ts'
import type { Stack } from './stack.ts'

type Ground = Pick<Stack, 'sql' | 'clock'>

const rowsOf = ({ sql }: Ground, process: RowProcess, now: Date) => {
  const query = rowProcesses[process].unfinished
  return sql<{ id: string; account_id: string; environment: string }>(
    query.replace(':now', '?'),
    query.includes(':now') ? [now] : [],
  )
}

/** Promises every unfinished process anew, for an engine that knows none: what docs/operating.md says to do. */
export async function beginAgain(ground: Ground): Promise<void> {
  const now = new Date(await ground.clock.now())
  for (const process of rowProcessNames) {
    for (const { id, account_id: accountId, environment } of await rowsOf(ground, process, now)) {
      const about = { accountId, environment, status: 'open', waitingOn: 'restart', summary: 'started again' }
      await ground.sql('insert into outbox (process, resource_id, lane, about) values (?, ?, ?, ?::jsonb)', [
        process,
        id,
        `${process}/${id}`,
        JSON.stringify(about),
      ])
    }
  }
}

/** What has not come to its end yet, but for schedules, which have none. */
export async function stillOpen(ground: Ground): Promise<string[]> {
  const now = new Date(await ground.clock.now())
  const found = []
  for (const process of rowProcessNames.filter((name) => name !== 'payout-schedule')) {
    for (const { id } of await rowsOf(ground, process, now)) found.push(`${process} ${id}`)
  }
  return found
}
