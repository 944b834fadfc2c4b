import { conversionProcess } from './balance/process.ts'
import { checkoutProcess, depositProcess } from './checkout/process.ts'
import { destinationProcess, payoutProcess, scheduleProcess } from './payout/process.ts'
import { type ArgsOf, contract } from './process-contract.ts'
import { clockProcess } from './sandbox/process.ts'
import { disputeProcess } from './dispute/process.ts'
import { refundProcess } from './refund-process.ts'
import { accountReviewProcess } from './platform/process.ts'
import { subscriptionProcess } from './subscription/process.ts'
import { deliveryProcess, endpointProcess, recoveryProcess } from './webhook/process.ts'

/** The processes that exist, by workflow name: a message that is not declared here does not compile. */
export const processes = {
  checkout: checkoutProcess,
  deposit: depositProcess,
  refund: refundProcess,
  dispute: disputeProcess,
  conversion: conversionProcess,
  payout: payoutProcess,
  'payout-destination': destinationProcess,
  'payout-schedule': scheduleProcess,
  'webhook-delivery': deliveryProcess,
  'webhook-endpoint': endpointProcess,
  'webhook-recovery': recoveryProcess,
  subscription: subscriptionProcess,
  'account-review': accountReviewProcess,
  clock: clockProcess,
  housekeeping: contract({ prefix: 'housekeeping', queue: 'main' }),
  supervisor: contract({ prefix: 'supervisor', queue: 'main' }),
} as const
export type ProcessName = keyof typeof processes

/** Whether this release knows a process of this name: a newer one may have others. */
export const isProcess = (name: string): name is ProcessName => Object.hasOwn(processes, name)
export const processNames = Object.keys(processes).filter(isProcess)

/** A process that works for a row. The others (`housekeeping`, `supervisor`) belong to the deployment itself. */
export type RowProcess = Exclude<ProcessName, 'housekeeping' | 'supervisor'>

type Of<P extends ProcessName, Kind extends 'updates' | 'signals'> =
  (typeof processes)[P] extends Record<Kind, infer M> ? M : Record<never, never>

/** The names of a process's updates, which are answered, and of its signals, which are not. */
export type UpdateOf<P extends ProcessName> = keyof Of<P, 'updates'> & string
export type SignalOf<P extends ProcessName> = keyof Of<P, 'signals'> & string
export type UpdateArgs<P extends ProcessName, U extends UpdateOf<P>> = ArgsOf<Of<P, 'updates'>[U]>
export type SignalArgs<P extends ProcessName, S extends SignalOf<P>> = ArgsOf<Of<P, 'signals'>[S]>

/** The engine's id of a resource's process, such as `checkout/chk_…`: known before anything is committed. */
export const processId = (process: ProcessName, resourceId: string): string =>
  `${processes[process].prefix}/${resourceId}`

/** The process and resource of an id in the engine; null for an id that is not ours. */
export function processOf(workflowId: string): { process: ProcessName; resourceId: string } | null {
  const [prefix, ...rest] = workflowId.split('/')
  const process = processNames.find((name) => processes[name].prefix === prefix)
  return process && rest.length > 0 ? { process, resourceId: rest.join('/') } : null
}
