import type { RowProcess } from '../../domain/processes.ts'
import { rowProcesses, rowProcessNames } from './resources.ts'
import type { Stack } from './stack.ts'

type Parts = Pick<Stack, 'sql' | 'clock'>

const rowsOf = ({ sql }: Parts, process: RowProcess, now: Date) => {
  const query = rowProcesses[process].unfinished
  return sql<{ id: string; account_id: string; environment: string }>(
    query.replace(':now', '?'),
    query.includes(':now') ? [now] : [],
  )
}

/** Puts every unfinished process into the outbox again, for an engine without data, as docs/operating/data.md says. */
export async function beginAllAnew(stack: Parts): Promise<void> {
  const now = new Date(await stack.clock.now())
  for (const process of rowProcessNames) {
    for (const { id, account_id: accountId, environment } of await rowsOf(stack, process, now)) {
      const about = { accountId, environment, status: 'open', waitingOn: 'restart', summary: 'started again' }
      await stack.sql('insert into outbox (process, resource_id, lane, about) values (?, ?, ?, ?::jsonb)', [
        process,
        id,
        `${process}/${id}`,
        JSON.stringify(about),
      ])
    }
  }
}

/** Rows that have not ended yet, except schedules, which have no end. */
export async function stillOpen(stack: Parts): Promise<string[]> {
  const now = new Date(await stack.clock.now())
  const found = []
  for (const process of rowProcessNames.filter((name) => name !== 'payout-schedule')) {
    for (const { id } of await rowsOf(stack, process, now)) found.push(`${process} ${id}`)
  }
  return found
}
