import type { ProcessName } from '../../domain/processes.ts'
import type { Stack } from './stack.ts'

/** Starts the process of a row again through the outbox, as a restore and the supervisor do. */
export async function beginAnew(stack: Stack, process: ProcessName, table: string, id: string): Promise<void> {
  await stack.sql(
    `insert into outbox (process, resource_id, about)
     select ?, id, jsonb_build_object('accountId', account_id, 'environment', environment, 'status', status,
       'waitingOn', 'rail', 'summary', 'begun anew') from ${table} where id = ?`,
    [process, id],
  )
  await stack.dispatched()
}
