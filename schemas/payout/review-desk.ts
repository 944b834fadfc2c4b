import Type from 'typebox'
import { environments } from '../../domain/access/scope.ts'
import { id, nullable, Timestamp } from '../common.ts'
import { Payout } from './payout.ts'
import { PayoutDestination } from './destination.ts'
import { Review } from '../review.ts'

const holderAtBank = nullable(Type.String())

const common = {
  account: Type.Object({ account_id: id('acct'), name: Type.String() }),
  environment: Type.Enum([...environments]),
  review: nullable(Review),
  people: Type.Record(Type.String(), Type.String(), {
    description: 'The names of the staff members in the review, by id.',
  }),
}

/** The fields that the review desk shows of every resource. */
export const ReviewDeskCommon = Type.Object(common)

export const ReviewDeskDestination = Type.Object(
  { destination: PayoutDestination, holder_at_bank: holderAtBank, ...common },
  { $id: 'DeskDestination' },
)

export const ReviewDeskPayout = Type.Object(
  {
    payout: Payout,
    destination: PayoutDestination,
    holder_at_bank: holderAtBank,
    ...common,
    destination_changed: Type.Boolean(),
    stuck_since: nullable(Timestamp),
  },
  { $id: 'DeskPayout' },
)
