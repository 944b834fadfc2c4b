import type { About } from '../../domain/process-contract.ts'
import { processId, type ProcessName, type SignalArgs, type SignalOf } from '../../domain/processes.ts'
import { addOutboxRow, type EntityManager } from './database.ts'
import type { OutboxSignal } from './outbox.ts'

/**
 * Starts a resource's process by an outbox row of the running transaction. Processes of one commit with the same
 * ordering key are started one after another, in their order; those of different keys independently. The default key is
 * the process itself.
 */
export function startProcess(
  em: EntityManager,
  process: ProcessName,
  resourceId: string,
  about: About,
  orderingKey = processId(process, resourceId),
): void {
  addOutboxRow(em, { process, resourceId, about, orderingKey, signal: null, lastError: null })
}

/**
 * Starts the process of an open row again, by an outbox row, in whatever way an earlier run of it has ended. Nothing
 * happens where the process runs. With a signal it is sent that too, also where it runs.
 */
export function restartProcess(
  em: EntityManager,
  process: ProcessName,
  resourceId: string,
  about: About,
  orderingKey: string,
  signal: OutboxSignal | null,
): void {
  addOutboxRow(em, { process, resourceId, about, orderingKey, anew: true, signal, lastError: null })
}

/** Sends a process a signal by an outbox row. The process is started first if it does not run. */
export function signalProcess<P extends ProcessName, S extends SignalOf<P>>(
  em: EntityManager,
  process: P,
  resourceId: string,
  about: About,
  name: S,
  ...args: SignalArgs<P, S>
): void {
  const orderingKey = processId(process, resourceId)
  addOutboxRow(em, { process, resourceId, about, orderingKey, signal: { name, args }, lastError: null })
}
