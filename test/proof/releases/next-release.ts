// The workflows of the next release: a checkout takes a further step, without a patch, as it is pinned. A worker of
// this release cannot replay a checkout of the release before it, nor the other way round.
import { sleep } from '@temporalio/workflow'
import { checkout as checkoutToday } from '../../../workflows/checkout/checkout.ts'
import { declareBehaviours } from '../../../workflows/behaviours.ts'

export * from './this-release.ts'

export async function checkout(id: string): Promise<unknown> {
  const [end] = await Promise.all([checkoutToday(id), sleep(1)])
  return end
}

declareBehaviours({ checkout })
