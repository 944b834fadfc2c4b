import type { About } from '../../domain/process-contract.ts'
import { processId, type ProcessName, type SignalArgs, type SignalOf } from '../../domain/processes.ts'
import { addOutboxRow, type EntityManager } from './database.ts'

/**
 * Promises, with the running transaction, that the resource's process will be started. Of one commit those of one lane
 * are started in their order, and lanes beside each other; a process has a lane of its own unless one is named.
 */
export function startProcess(
  em: EntityManager,
  process: ProcessName,
  resourceId: string,
  about: About,
  lane = processId(process, resourceId),
): void {
  addOutboxRow(em, { process, resourceId, about, lane, signal: null, lastError: null })
}

/**
 * Promises that the process of an open row will be started although an earlier run of it may have ended, in whatever
 * way. Harmless where one is running.
 */
export function startAnew(
  em: EntityManager,
  process: ProcessName,
  resourceId: string,
  about: About,
  lane: string,
): void {
  addOutboxRow(em, { process, resourceId, about, lane, anew: true, signal: null, lastError: null })
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
  const lane = processId(process, resourceId)
  addOutboxRow(em, { process, resourceId, about, lane, signal: { name, args }, lastError: null })
}
