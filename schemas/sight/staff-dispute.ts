import Type from 'typebox'
import { environments } from '../../domain/access/scope.ts'
import { Payment } from '../checkout/payment.ts'
import { id } from '../common.ts'
import { Dispute } from '../dispute/dispute.ts'
import { DisputeDocument } from '../dispute/document.ts'
import { StaffTimeline } from './timeline.ts'

/** A dispute as staff see it: with its payment, its account, and what has happened and is awaited. */
export const StaffDispute = Type.Object(
  {
    dispute: Dispute,
    network_dispute_id: Type.String({ description: 'The id by which the card network knows it.' }),
    payment: Payment,
    account: Type.Object({ account_id: id('acct'), name: Type.String() }),
    environment: Type.Enum([...environments]),
    documents: Type.Array(DisputeDocument, { description: 'Each with a link that opens it for five minutes.' }),
    timeline: StaffTimeline,
  },
  { $id: 'StaffDispute' },
)
