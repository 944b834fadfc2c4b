import type { EntityManager } from '../../db/core/database.ts'
import { returnsOfCredit } from '../../db/subscription/paid-back.ts'
import type { Subscription } from '../../db/subscription/subscription.ts'
import { add, format } from '../../domain/money.ts'
import { addShares, sharesWithin, takeReturned } from '../../domain/subscription/funding.ts'
import { settleWithheld } from '../../domain/subscription/returns.ts'

/** A subscription's credit, with what is withheld because of returns and which payments it came from. */
export type Standing = Pick<Subscription, 'credit' | 'withheld' | 'funding'>

/**
 * The credit that the next invoice deducts. What refunds and disputes have returned of the payments that it came from
 * is taken off. What was withheld because of a refund is part of it once the refund has failed, and what was withheld
 * because of a dispute once it is won; but for what another refund or dispute of the payment has returned.
 */
export async function creditOf(
  em: EntityManager,
  { credit, currency, withheld, funding }: Standing & Pick<Subscription, 'currency'>,
): Promise<Standing> {
  const shares = sharesWithin(funding.credit, credit)
  const returns = await returnsOfCredit(
    em,
    shares.map(({ paymentId }) => paymentId),
    withheld,
  )
  if (returns.length === 0) return { credit, withheld, funding }
  const settled = settleWithheld(withheld, returns, currency)
  const all = {
    ...settled,
    credit: format(add(credit, settled.credit), currency),
    shares: addShares(shares, settled.shares),
  }
  const left = takeReturned(all, returns, currency)
  return {
    credit: left.credit,
    withheld: left.withheld,
    funding: { ...funding, credit: left.shares },
  }
}
