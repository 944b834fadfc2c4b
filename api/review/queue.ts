import type { Static } from 'typebox'
import type { EntityManager } from '../../db/core/database.ts'
import { Payout } from '../../db/payout/payout.ts'
import { PayoutDestination } from '../../db/payout/destination.ts'
import type { Review } from '../../db/review/review.ts'
import { accountNamesOf } from '../../db/core/account.ts'
import { namesOf } from '../../db/access/user.ts'
import { lastFourOf } from '../../domain/payout/destination.ts'
import { formatPaid } from '../../domain/payout/terms.ts'
import { type ListedReview, presentReview, type ReviewSubject } from '../../schemas/review.ts'

/** Reviews with their subjects, in five queries for the whole page. */
export async function presentQueue(em: EntityManager, rows: Review[]): Promise<Static<typeof ListedReview>[]> {
  const ids = (type: Review['type']) => rows.filter((row) => row.type === type).map(({ resourceId }) => resourceId)
  const payouts = await em.find(Payout, { id: ids('payout') })
  const wanted = [...ids('payout_destination'), ...payouts.map(({ destinationId }) => destinationId)]
  const destinations = await em.find(PayoutDestination, { id: wanted })
  const names = await namesOf(
    em,
    rows.map(({ claimedBy }) => claimedBy),
  )
  const accounts = await accountNamesOf(
    em,
    rows.map(({ accountId }) => accountId),
  )
  return rows.map((row) => {
    const claimer = row.claimedBy ? (names[row.claimedBy] ?? null) : null
    const shown = {
      ...presentReview(row),
      account_name: accounts[row.accountId] ?? null,
      claimed_by_name: claimer,
    }
    if (row.type === 'account') return { ...shown, subject: presentAccount(accounts[row.resourceId] ?? null) }
    const payout = payouts.find(({ id }) => id === row.resourceId)
    const destination = destinations.find(({ id }) => id === (payout?.destinationId ?? row.resourceId))
    if (!destination) throw new Error(`review ${row.id} is about nothing`)
    return { ...shown, subject: presentSubject(destination, payout) }
  })
}

const presentSubject = (destination: PayoutDestination, payout: Payout | undefined): Static<typeof ReviewSubject> => ({
  amount: payout ? formatPaid(payout.amount, payout.currency) : null,
  currency: payout?.currency ?? destination.currency,
  destination: destination.id,
  destination_name: destination.name,
  account_holder: destination.accountName,
  holder_at_bank: destination.holderAtBank,
  last_four: lastFourOf(destination),
})

const presentAccount = (name: string | null): Static<typeof ReviewSubject> => ({
  amount: null,
  currency: null,
  destination: null,
  destination_name: null,
  account_holder: name,
  holder_at_bank: null,
  last_four: null,
})
