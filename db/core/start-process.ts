import { addOutboxRow, type EntityManager } from './database.ts'
import type { OutboxSignal } from './outbox.ts'

/** The processes that exist, by workflow name, with the prefix of their ids in the engine. */
export const processes = {
  checkout: 'checkout',
  housekeeping: 'housekeeping',
  refund: 'refund',
  conversion: 'conversion',
  payout: 'payout',
  deposit: 'deposit',
  'payout-destination': 'destination',
  'payout-schedule': 'schedule',
  'webhook-delivery': 'delivery',
  'webhook-endpoint': 'endpoint',
  'webhook-recovery': 'recovery',
  supervisor: 'supervisor',
} as const
export type ProcessName = keyof typeof processes

/** A process that works for a row. The others (`housekeeping`, `supervisor`) belong to the deployment itself. */
export type RowProcess = Exclude<ProcessName, 'housekeeping' | 'supervisor'>

/** The engine's id of a resource's process, such as `checkout/chk_…`: known before anything is committed. */
export const processId = (process: ProcessName, resourceId: string): string => `${processes[process]}/${resourceId}`

/** Whose process has this id in the engine; null for what is none of ours. */
export function processOf(workflowId: string): { process: ProcessName; resourceId: string } | null {
  const [prefix, ...rest] = workflowId.split('/')
  const found = Object.entries(processes).find(([, known]) => known === prefix)
  return found && rest.length > 0 ? { process: found[0] as ProcessName, resourceId: rest.join('/') } : null
}

/** What operators read in the engine's list: search attributes and one plain sentence, never personal data. */
export type About = { accountId: string; environment: string; status: string; waitingOn: string; summary: string }

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
export function signalProcess(
  em: EntityManager,
  process: ProcessName,
  resourceId: string,
  about: About,
  signal: OutboxSignal,
): void {
  addOutboxRow(em, { process, resourceId, about, lane: processId(process, resourceId), signal, lastError: null })
}
