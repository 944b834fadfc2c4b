import Type from 'typebox'
import { accountNamesOf } from '../../db/core/account.ts'
import { findRow, type FoundRow } from '../../db/sight/find-row.ts'
import { paymentProcessOf } from '../../domain/checkout/payment-process.ts'
import type { ProcessName } from '../../domain/processes.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { FoundKind } from '../../domain/sight/found.ts'
import { FoundResource, presentFound } from '../../schemas/sight/found.ts'
import { operation } from '../http/operation.ts'
import { forStaff } from '../http/staff.ts'
import { processLink } from './process-link.ts'
import { seenResources } from './resources.ts'

export const findResource = operation({
  ...forStaff,
  method: 'get',
  path: '/api/v1/admin/resources/{resource_id}',
  summary: 'Find a resource of any kind and any account by its id',
  params: Type.Object({ resource_id: Type.String({ maxLength: 255, examples: ['ref_…'] }) }),
  returns: [200, FoundResource],
  refuses: ['FORBIDDEN', 'NOT_FOUND'],

  async handle({ params, em, services }) {
    const found = await findRow(em, params.resource_id)
    if (!found) throw new Refusal('NOT_FOUND', 'no such resource')
    const { kind, row } = found
    const owner = kind.resource === 'account' ? params.resource_id : ((row['accountId'] ?? null) as string | null)
    const names = await accountNamesOf(em, [owner])
    const process = processOf(found)
    return presentFound(found, {
      account_name: owner === null ? null : (names[owner] ?? null),
      has_timeline: seenResources.some(({ resource }) => resource === kind.resource),
      process: process && processLink(services.config, ...process),
    })
  },
})

/** The kinds whose process has the id of the resource. */
const ownProcesses: Partial<Record<FoundKind, ProcessName>> = {
  checkout_session: 'checkout',
  refund: 'refund',
  payout: 'payout',
  payout_destination: 'payout-destination',
  payout_schedule: 'payout-schedule',
  conversion: 'conversion',
  account: 'account-review',
  webhook_delivery: 'webhook-delivery',
  webhook_endpoint: 'webhook-endpoint',
  webhook_recovery: 'webhook-recovery',
  subscription: 'subscription',
  dispute: 'dispute',
  test_clock: 'clock',
}

/** The process that works for a resource: its own, or that of what it belongs to. Null where none does. */
function processOf({ kind: { resource }, row }: FoundRow): [ProcessName, string] | null {
  const own = ownProcesses[resource]
  if (own) return [own, String(row['id'])]
  if (resource === 'payment') return paymentProcessOf(row as Parameters<typeof paymentProcessOf>[0])
  return resource === 'invoice' ? ['subscription', String(row['subscriptionId'])] : null
}
