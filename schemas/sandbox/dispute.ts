import Type from 'typebox'
import { disputeReasonKeys } from '../../domain/dispute/dispute.ts'

/** How a buyer's bank disputes a payment in the sandbox. */
export const raisedDispute = {
  amount: Type.Optional(
    Type.String({ description: 'In the payment’s currency. Left out: all that refunds and disputes leave.' }),
  ),
  reason: Type.Optional(Type.Enum([...disputeReasonKeys], { default: 'fraudulent' })),
  early_warning: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Announces the dispute: a full refund within 72 hours prevents it.',
    }),
  ),
}
