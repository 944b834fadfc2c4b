import type { About } from '../../domain/process-contract.ts'
import { processId, type ProcessName, type SignalArgs, type SignalOf } from '../../domain/processes.ts'
import { addOutboxRow, type EntityManager } from './database.ts'

/**
 * Promises, with the running transaction, that the resource's process will be started. Of one commit those with one
 * ordering key are started in their order, and those of different keys beside each other; the key is the process itself
 * unless one is named.
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
 * Promises that the process of an open row will be started although an earlier run of it may have ended, in whatever
 * way. Harmless where one is running.
 */
export function restartProcess(
  em: EntityManager,
  process: ProcessName,
  resourceId: string,
  about: About,
  orderingKey: string,
): void {
  addOutboxRow(em, { process, resourceId, about, orderingKey, anew: true, signal: null, lastError: null })
}

/** Promises that the process will hear a signal, and is started first should it not have begun or have ended. */
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
