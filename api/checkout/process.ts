import { aboutCheckout } from '../../domain/checkout/process.ts'
import type { Checkout } from '../../db/checkout/checkout.ts'
import type { UpdateArgs, UpdateOf } from '../../domain/processes.ts'
import type { Services } from '../http/services.ts'

/** Sends an update to the session's process and waits for the result. Its refusal becomes the call's refusal. */
export const updateCheckout = <U extends UpdateOf<'checkout'>>(
  { engine }: Services,
  row: Checkout,
  update: U,
  args: UpdateArgs<'checkout', U>,
  updateId: string,
) => engine.update({ process: 'checkout', resourceId: row.id, about: aboutCheckout(row) }, update, args, updateId)
