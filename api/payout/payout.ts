import Type, { type Static } from 'typebox'
import { assertCapable } from '../../db/platform/capability.ts'
import { readQuote } from '../../db/balance/conversion-quote.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { openPayout, usableDestination } from '../../commands/payout/open-payout.ts'
import { Payout as PayoutRow } from '../../db/payout/payout.ts'
import { recordEvent } from '../../db/core/record-event.ts'
import { simulatedOutcomes } from '../../domain/simulation.ts'
import { mergeMetadata } from '../../domain/metadata.ts'
import type { PayoutCurrency } from '../../domain/payout/destination.ts'
import { payoutStatuses } from '../../domain/payout/payout.ts'
import { arrivalAt, totalDebitOf, formatPaid, termsOf, validatePayoutRequest } from '../../domain/payout/terms.ts'
import { type ErrorCode, Refusal } from '../../domain/refusal.ts'
import {
  idParameter,
  iso,
  singleLine,
  Metadata,
  offsetQuery,
  sentCurrency,
  pageWithTotal,
} from '../../schemas/common.ts'
import { Payout, PayoutEstimate, presentPayout } from '../../schemas/payout/payout.ts'
import { payoutCreated } from '../../schemas/payout/event.ts'
import { type Caller, operation } from '../http/operation.ts'
import { whereMatching } from '../http/filters.ts'
import { newestOf } from '../http/pagination.ts'
import { assertSandbox } from '../http/assert-sandbox.ts'

const shared = { tag: 'Payouts', auth: ['apiKey'] } as const

const wish = {
  destination: Type.String({ minLength: 1, maxLength: 64, examples: ['pd_…'] }),
  amount: Type.Optional(
    Type.String({
      description: 'The amount that arrives, if the balance is in the destination’s currency.',
      examples: ['150.00'],
    }),
  ),
  quote_id: Type.Optional(
    Type.String({ minLength: 1, maxLength: 64, description: 'Instead of amount: a quote from USD to its currency.' }),
  ),
  source_currency: Type.Optional(
    sentCurrency({
      minLength: 3,
      maxLength: 10,
      description: 'The currency of the balance that pays. By default NGN for an `amount` in NGN, else USD.',
    }),
  ),
}

const CreatePayout = Type.Object(
  {
    ...wish,
    reference: Type.Optional(singleLine(128, { minLength: 1 })),
    description: Type.Optional(Type.String({ maxLength: 500 })),
    metadata: Type.Optional(Metadata),
    simulated_outcome: Type.Optional(Type.Enum([...simulatedOutcomes], { description: 'In the sandbox only.' })),
  },
  { $id: 'CreatePayout' },
)

const refusals: readonly ErrorCode[] = [
  'NOT_FOUND',
  'DESTINATION_NOT_USABLE',
  'CURRENCY_NOT_SUPPORTED',
  'AMOUNT_BELOW_MINIMUM',
  'QUOTE_REQUIRED',
  'QUOTE_EXPIRED',
  'QUOTE_ALREADY_USED',
]

export const createPayout = operation({
  ...shared,
  method: 'post',
  path: '/v1/payouts',
  summary: 'Pay out to one of your destinations',
  scope: 'payouts:write',
  body: CreatePayout,
  needs: 'begins',
  validate: validatePayoutRequest,
  returns: [201, Payout],
  refuses: [
    ...refusals,
    'INSUFFICIENT_BALANCE',
    'CAPABILITY_NOT_ACTIVE',
    'ACCOUNT_NOT_ACTIVATED',
    'SIMULATION_NOT_ALLOWED',
  ],

  async handle({ body, caller, em, now, services }) {
    if (body.simulated_outcome) assertSandbox(caller)
    await assertCapable(em, caller, 'payouts')
    const { paysOut } = services.rails.in(caller.environment)
    if (paysOut.length === 0) throw new Refusal('ACCOUNT_NOT_ACTIVATED', 'no live rail is connected yet')
    const payout = await openPayout(em, caller, toNewPayout(body), now)
    if (!paysOut.includes(payout.currency)) throw notPaidOut(payout.currency)
    const data = payoutCreated(payout)
    await recordEvent(em, payout, { type: 'payout.created', resourceId: payout.id, data }, now)
    return presentPayout(payout)
  },
})

export const notPaidOut = (currency: PayoutCurrency) =>
  new Refusal('ACCOUNT_NOT_ACTIVATED', `no live rail pays out in ${currency}`)

const toNewPayout = (body: Static<typeof CreatePayout>) => ({
  destinationId: body.destination,
  amount: body.amount ?? null,
  quoteId: body.quote_id ?? null,
  sourceCurrency: body.source_currency ?? null,
  reference: body.reference ?? null,
  description: body.description ?? null,
  metadata: mergeMetadata({}, body.metadata),
  simulatedOutcome: body.simulated_outcome ?? null,
})

const EstimatePayout = Type.Object(wish, { $id: 'EstimatePayout' })

export const estimatePayout = operation({
  ...shared,
  method: 'post',
  path: '/v1/payouts/estimate',
  summary: 'Estimate the fee of a payout and when it would arrive',
  scope: 'payouts:write',
  mode: 'read',
  body: EstimatePayout,
  validate: validatePayoutRequest,
  returns: [200, PayoutEstimate],
  refuses: refusals,

  async handle({ body, caller, em, now }) {
    const { amount = null, quote_id: quoteId, source_currency: sourceCurrency = null } = body
    const destination = await usableDestination(em, caller, body.destination)
    const quote = quoteId === undefined ? null : await readQuote(em, caller, quoteId, now)
    const terms = termsOf(destination, { amount, quote, sourceCurrency })
    const arrival = arrivalAt(destination, terms.sourceCurrency, now)
    return {
      amount: formatPaid(terms.amount, terms.currency),
      currency: terms.currency,
      source_currency: terms.sourceCurrency,
      fee: formatPaid(terms.fee, terms.sourceCurrency),
      total_debited: formatPaid(totalDebitOf(terms), terms.sourceCurrency),
      arrives_from: iso(arrival.from),
      arrives_by: iso(arrival.by),
    }
  },
})

export const PayoutId = Type.Object({ payout_id: idParameter('pay') })

/** A payout of the caller's own account. */
export async function findPayout(
  em: EntityManager,
  { accountId, environment }: Caller,
  id: string,
): Promise<PayoutRow> {
  const row = await em.findOne(PayoutRow, { id, accountId, environment })
  if (!row) throw new Refusal('NOT_FOUND', 'no such payout')
  return row
}

export const getPayout = operation({
  ...shared,
  method: 'get',
  path: '/v1/payouts/{payout_id}',
  summary: 'Read a payout',
  scope: 'payouts:read',
  params: PayoutId,
  returns: [200, Payout],
  refuses: ['NOT_FOUND'],
  handle: async ({ params, caller, em }) => presentPayout(await findPayout(em, caller, params.payout_id)),
})

export const listPayouts = operation({
  ...shared,
  method: 'get',
  path: '/v1/payouts',
  summary: 'List payouts, newest first',
  scope: 'payouts:read',
  query: Type.Object({
    ...offsetQuery,
    status: Type.Optional(Type.Enum([...payoutStatuses])),
    reference: Type.Optional(Type.String({ maxLength: 128 })),
  }),
  returns: [200, pageWithTotal(Payout)],
  refuses: [],

  async handle({ query, caller, em }) {
    const where = whereMatching(caller, query, { status: 'status', reference: 'reference' })
    const [rows, total] = await newestOf(em, PayoutRow, where, query)
    return { total, items: rows.map(presentPayout) }
  },
})
