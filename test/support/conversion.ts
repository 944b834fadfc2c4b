import type { Environment } from '../../domain/access/scope.ts'
import type { Currency } from '../../domain/currency.ts'
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { inTransaction } from '../../db/core/database.ts'
import { post, type Posting } from '../../db/ledger/ledger.ts'
import { negate } from '../../domain/money.ts'
import type { Merchant } from './merchant.ts'
import type { Stack } from './stack.ts'

type Quote = Record<'quote_id' | 'from_amount' | 'to_amount' | 'rate' | 'fee' | 'status' | 'expires_at', string>
type Conversion = Record<'conversion_id' | 'status' | 'from_amount' | 'to_amount', string>
type Body = Record<string, unknown>

/** A merchant's calls about quotes and conversions; each expects success. */
export function exchanging({ call }: Merchant) {
  async function ok<T>(expected: number, ...request: Parameters<Merchant['call']>): Promise<T> {
    const { status, text, body } = await call(...request)
    assert.equal(status, expected, text)
    return body as T
  }
  const quote = (body: Body = {}) =>
    ok<Quote>(201, 'POST', '/v1/conversions/quotes', {
      from_currency: 'USD',
      to_currency: 'NGN',
      ...('to_amount' in body ? {} : { from_amount: '100.00' }),
      ...body,
    })
  return {
    quote,
    readQuote: (id: string) => ok<Quote>(200, 'GET', `/v1/conversions/quotes/${id}`),
    execute: (quote_id: string, body: Body = {}) =>
      ok<Conversion>(201, 'POST', '/v1/conversions', { quote_id, reference: 'treasury-7', ...body }),
    /** Gets a quote and executes it. */
    async convert(body: Body = {}, priced: Body = {}) {
      return this.execute((await quote(priced)).quote_id, body)
    },
    read: (id: string) => ok<Body>(200, 'GET', `/v1/conversions/${id}`),
  }
}

/** Gives an account available money, as if a rail had brought it. */
export async function endow(
  { database, clock }: Pick<Stack, 'database' | 'clock'>,
  accountId: string,
  amount = '1000.00',
  currency: Currency = 'USD',
  environment: Environment = 'sandbox',
) {
  const line = { currency }
  const postings: Posting[] = [
    { ...line, ledgerAccount: 'rail', amount: negate(amount) },
    { ...line, ledgerAccount: 'merchant', amount },
  ]
  const owner = { accountId, environment }
  const at = await clock.now()
  await inTransaction(database, (em) =>
    post(em, { kind: 'surplus', sourceId: `endowed ${randomUUID()}`, owner, postings }, at),
  )
}
