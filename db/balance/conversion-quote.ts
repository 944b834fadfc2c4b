import { defineEntity, LockMode, p } from '@mikro-orm/core'
import { Refusal } from '../../domain/refusal.ts'
import { currencyCode, moment, money, type Tenant, tenant } from '../core/columns.ts'
import type { EntityManager } from '../core/database.ts'

const schema = defineEntity({
  name: 'ConversionQuote',
  tableName: 'conversion_quotes',
  properties: {
    id: p.string().primary(),
    ...tenant,
    // The whole amount that is debited, the fee included.
    fromAmount: money().check("from_amount > 0 and from_amount <> 'NaN'"),
    fromCurrency: currencyCode(),
    toAmount: money().check("to_amount > 0 and to_amount <> 'NaN'"),
    toCurrency: currencyCode(),
    // Units of the currency bought for one of the currency sold.
    rate: money().check("rate > 0 and rate <> 'NaN'"),
    fee: money().check("fee >= 0 and fee <> 'NaN'"),
    usedAt: moment().strictNullable(),
    expiresAt: moment(),
    createdAt: moment(),
  },
  indexes: [{ name: 'conversion_quotes_unused', properties: ['expiresAt'], where: 'used_at is null' }],
  checks: [
    { name: 'conversion_quotes_leave_something', expression: 'fee < from_amount' },
    { name: 'conversion_quotes_two_currencies', expression: 'from_currency <> to_currency' },
    { name: 'conversion_quotes_used_in_time', expression: 'used_at is null or used_at < expires_at' },
  ],
})
/** A price for one exchange of money. It holds for a short time and can be used once. */
export class ConversionQuote extends schema.class {}
schema.setClass(ConversionQuote)

/**
 * Marks an owner's quote as used in the running transaction, and returns it with its amounts. Of several concurrent
 * users exactly one gets it; a rollback leaves it unused.
 */
export async function useQuote(
  em: EntityManager,
  owner: Tenant,
  quoteId: string,
  at: number,
): Promise<ConversionQuote> {
  const quote = await readQuote(em, owner, quoteId, at, LockMode.PESSIMISTIC_WRITE)
  quote.usedAt = new Date(at)
  return quote
}

/** An owner's quote, while it can be used. */
export async function readQuote(
  em: EntityManager,
  owner: Tenant,
  quoteId: string,
  at: number,
  lockMode = LockMode.NONE,
): Promise<ConversionQuote> {
  const { accountId, environment } = owner
  const quote = await em.findOne(ConversionQuote, { id: quoteId, accountId, environment }, { lockMode })
  if (!quote) throw new Refusal('NOT_FOUND', 'no such quote')
  if (quote.usedAt) throw new Refusal('QUOTE_ALREADY_USED', 'a quote can be used once, and this one has been')
  if (quote.expiresAt.getTime() <= at) throw new Refusal('QUOTE_EXPIRED', 'the quote has expired: ask for a new one')
  return quote
}
