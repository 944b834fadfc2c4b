import { aboutConversion } from '../../domain/balance/process.ts'
import { aboutCheckout, aboutDeposit } from '../../domain/checkout/process.ts'
import { aboutPayout } from '../../domain/payout/process.ts'
import type { About } from '../../domain/process-contract.ts'
import { aboutRefund } from '../../domain/refund-process.ts'
import { Conversion } from '../../db/balance/conversion.ts'
import { Checkout } from '../../db/checkout/checkout.ts'
import { Deposit } from '../../db/checkout/deposit.ts'
import { Payment } from '../../db/checkout/payment.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { Payout } from '../../db/payout/payout.ts'
import { Refund } from '../../db/refund.ts'

/** The process that carries out an action on a resource, and how it is started if it is not running. */
export type ActionTarget = {
  process: 'payout' | 'refund' | 'conversion' | 'checkout' | 'deposit'
  resourceId: string
  about: About
}

/** For each kind of resource: its process. The resource exists. */
export const targetOf = {
  payout: async (em: EntityManager, id: string): Promise<ActionTarget> => {
    const about = aboutPayout(await em.findOneOrFail(Payout, { id }), 'operator')
    return { process: 'payout', resourceId: id, about }
  },
  refund: async (em: EntityManager, id: string): Promise<ActionTarget> => {
    const about = aboutRefund(await em.findOneOrFail(Refund, { id }))
    return { process: 'refund', resourceId: id, about }
  },
  conversion: async (em: EntityManager, id: string): Promise<ActionTarget> => {
    const about = aboutConversion(await em.findOneOrFail(Conversion, { id }))
    return { process: 'conversion', resourceId: id, about }
  },
  /** The sale that the payment is an attempt of; a payment without one is a transfer into a virtual account. */
  payment: async (em: EntityManager, id: string): Promise<ActionTarget> => {
    const { checkoutId, accountId, environment } = await em.findOneOrFail(Payment, { id })
    if (checkoutId !== null) {
      const about = aboutCheckout(await em.findOneOrFail(Checkout, { id: checkoutId }))
      return { process: 'checkout', resourceId: checkoutId, about }
    }
    const { virtualAccountId } = await em.findOneOrFail(Deposit, { id })
    const about = aboutDeposit({ accountId, environment, id: virtualAccountId })
    return { process: 'deposit', resourceId: id, about }
  },
}
