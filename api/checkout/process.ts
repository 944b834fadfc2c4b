import { aboutCheckout } from '../../domain/checkout/process.ts'
import type { Checkout } from '../../db/checkout/checkout.ts'
import type { UpdateArgs, UpdateOf } from '../../domain/processes.ts'
import type { Services } from '../http/services.ts'

/** Asks the session's process and waits for what it has done; its refusal comes back as ours. */
export const updateCheckout = <U extends UpdateOf<'checkout'>>(
  { engine }: Services,
  row: Checkout,
  update: U,
  args: UpdateArgs<'checkout', U>,
  updateId: string,
) => engine.update({ process: 'checkout', resourceId: row.id, about: aboutCheckout(row) }, update, args, updateId)
