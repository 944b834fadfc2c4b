import { defineEntity, p } from '@mikro-orm/core'
import { transferKinds } from '../../domain/transfer/transfer.ts'
import { currencyCode, isOwned, moment, money, tenant } from '../core/columns.ts'

/** A transfer that a sale has made is of what settled, and never more than that. */
const saleCheck = '(payment_id is null) = (settled_amount is null) and amount <= coalesce(settled_amount, amount)'

const schema = defineEntity({
  name: 'Transfer',
  tableName: 'transfers',
  properties: {
    id: p.string().primary(),
    // Of a platform fee this is the platform, of any other transfer the account that sends it.
    ...tenant,
    kind: p.enum(transferKinds),
    fromAccountId: p.string().check("from_account_id <> ''"),
    toAccountId: p.string().check("to_account_id <> ''"),
    currency: currencyCode(),
    amount: money().check("amount > 0 and amount <> 'NaN'"),
    reversedAmount: money().default('0').check('reversed_amount >= 0 and reversed_amount <= amount'),
    // The sale that has made it; null for one that a call has made.
    paymentId: p.string().strictNullable(),
    // What had settled of that sale then: a refund takes the same part of the transfer as it takes of this.
    settledAmount: money().strictNullable(),
    reference: p.string().length(128).strictNullable(),
    description: p.string().length(500).strictNullable(),
    metadata: p.json<Record<string, string>>(),
    availableAt: moment(),
    createdAt: moment(),
    updatedAt: moment(),
  },
  checks: [
    { name: 'transfers_fee_of_a_sale', expression: "kind = 'transfer' or payment_id is not null" },
    { name: 'transfers_within_the_sale', expression: saleCheck },
  ],
  uniques: [{ name: 'transfers_once_per_payment', properties: ['paymentId'] }],
  indexes: [
    { name: 'transfers_newest', properties: ['accountId', 'environment', 'kind', 'createdAt', 'id'] },
    {
      name: 'transfers_by_destination',
      properties: ['accountId', 'environment', 'kind', 'toAccountId', 'createdAt', 'id'],
    },
    {
      name: 'transfers_by_source',
      properties: ['accountId', 'environment', 'fromAccountId', 'createdAt', 'id'],
      where: "kind = 'platform_fee'",
    },
    { name: 'transfers_by_reference', properties: ['accountId', 'environment', 'reference'] },
  ],
})
/**
 * Money that moves between a platform and one of its connected accounts. A platform fee is a transfer that a sale makes
 * from its seller to the platform. Both can go back in parts.
 */
export class Transfer extends schema.class {}
schema.setClass(Transfer)

const reversalSchema = defineEntity({
  name: 'TransferReversal',
  tableName: 'transfer_reversals',
  properties: {
    id: p.string().primary(),
    accountId: p.string().check(isOwned),
    environment: tenant.environment,
    transferId: p.string(),
    currency: currencyCode(),
    amount: money().check("amount > 0 and amount <> 'NaN'"),
    // The refund or the dispute of the sale that it belongs to; both null for one that a call has made.
    refundId: p.string().strictNullable(),
    disputeId: p.string().nullable(),
    description: p.string().length(500).strictNullable(),
    metadata: p.json<Record<string, string>>(),
    createdAt: moment(),
    // When its refund has failed, or its dispute was won, and its amount was moved again.
    canceledAt: moment().strictNullable(),
  },
  indexes: [
    { name: 'transfer_reversals_of_transfer', properties: ['transferId', 'createdAt', 'id'] },
    { name: 'transfer_reversals_of_refund', properties: ['refundId'], where: 'refund_id is not null' },
    { name: 'transfer_reversals_of_dispute', properties: ['disputeId'], where: 'dispute_id is not null' },
  ],
  checks: [{ name: 'transfer_reversals_for_one_reason', expression: 'num_nonnulls(refund_id, dispute_id) < 2' }],
})
/** A part of a transfer that has gone back, or the refund of a part of a platform fee. */
export class TransferReversal extends reversalSchema.class {}
reversalSchema.setClass(TransferReversal)
