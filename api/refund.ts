import { LockMode } from '@mikro-orm/core'
import Type, { type Static } from 'typebox'
import { readSettings } from '../db/platform/account-settings.ts'
import type { EntityManager } from '../db/core/database.ts'
import { type NewRefund, openRefund } from '../commands/open-refund.ts'
import { Payment } from '../db/checkout/payment.ts'
import { recordEvent } from '../db/core/record-event.ts'
import { Refund as RefundRow } from '../db/refund/refund.ts'
import { simulatedOutcomes } from '../domain/simulation.ts'
import { amountError, isZero, parseAmount } from '../domain/money.ts'
import { type FieldError, invalid, Refusal } from '../domain/refusal.ts'
import { refundStatuses } from '../domain/refund.ts'
import { idParameter, singleLine, offsetQuery, pageWithTotal } from '../schemas/common.ts'
import { FeeBearer, presentRefund, Refund } from '../schemas/refund/refund.ts'
import { refundCreated } from '../schemas/refund/event.ts'
import { type Caller, operation } from './http/operation.ts'
import { whereMatching } from './http/filters.ts'
import { newestOf } from './http/pagination.ts'
import { assertSandbox } from './http/assert-sandbox.ts'

const shared = { tag: 'Refunds', auth: ['apiKey', 'user'] } as const

const CreateRefund = Type.Object(
  {
    charge_id: Type.String({ minLength: 1, maxLength: 64, examples: ['pay_…'] }),
    reference: singleLine(128, { minLength: 1 }),
    amount: Type.Optional(
      Type.Number({
        description: 'In the settlement currency, as a plain decimal number. Left out: everything that is left.',
        examples: [10.5],
      }),
    ),
    fee_bearer: Type.Optional(FeeBearer),
    reason: Type.Optional(Type.String({ maxLength: 500 })),
    refund_address: Type.Optional(
      Type.String({ minLength: 1, maxLength: 255, description: 'Required for a payment in crypto.' }),
    ),
    reverse_transfer: Type.Optional(
      Type.Boolean({ default: false, description: 'Whether the seller gives back the same part of what they got.' }),
    ),
    refund_platform_fee: Type.Optional(
      Type.Boolean({ default: false, description: 'Whether the platform gives back the same part of its fee.' }),
    ),
    idempotency_key: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })), // an empty one would protect nothing
    simulated_outcome: Type.Optional(Type.Enum([...simulatedOutcomes], { description: 'In the sandbox only.' })),
  },
  { $id: 'CreateRefund' },
)

export const createRefund = operation({
  ...shared,
  method: 'post',
  path: '/api/v1/payments/refunds',
  summary: 'Refund a charge, in full or in part',
  scope: 'refunds:write',
  body: CreateRefund,
  needs: 'begins',
  validate: (_, { digitsOf }) => validateAmounts(digitsOf('amount')),
  returns: [201, Refund],
  refuses: [
    'FORBIDDEN',
    'NOT_FOUND',
    'CHARGE_NOT_REFUNDABLE',
    'REFUND_EXCEEDS_REMAINING',
    'REFUND_ADDRESS_REQUIRED',
    'AMOUNT_BELOW_MINIMUM',
    'SIMULATION_NOT_ALLOWED',
  ],

  async handle({ body, caller, em, now, digitsOf }) {
    if (body.simulated_outcome) assertSandbox(caller)
    const charge = await lockCharge(em, caller, body.charge_id)
    const refund = await openRefund(em, charge, await toNewRefund(em, charge, body, digitsOf('amount')), now)
    const data = refundCreated(refund, charge)
    await recordEvent(em, refund, { type: 'refund.created', resourceId: refund.id, data }, now)
    return presentRefund(refund)
  },
})

/** The errors in the amount, whatever its currency. Checks the digits as they were sent, not their float. */
function validateAmounts(digits: string | undefined): FieldError[] {
  if (digits === undefined) return []
  const error = amountError(digits, null)
  if (error) return [{ ...error, message: error.message.replace('string such as "25.00"', 'number such as 25.00') }]
  return isZero(digits) ? [{ field: 'amount', message: 'must be more than zero', type: 'value_error.range' }] : []
}

/** Locks the charge until the refund is stored. Another organization's charge is refused with 403, not with 404. */
async function lockCharge(em: EntityManager, { accountId, environment }: Caller, id: string): Promise<Payment> {
  const lockMode = LockMode.PESSIMISTIC_WRITE
  const own = await em.findOne(Payment, { id, accountId, environment }, { lockMode })
  if (own) return own
  if ((await em.count(Payment, { id, environment })) === 0) throw new Refusal('NOT_FOUND', 'no such charge')
  throw new Refusal('FORBIDDEN', 'the charge belongs to another organization')
}

type Body = Static<typeof CreateRefund>

async function toNewRefund(
  em: EntityManager,
  charge: Payment,
  body: Body,
  digits: string | undefined,
): Promise<NewRefund> {
  const { reverse_transfer: reversesTransfer = false, refund_platform_fee: refundsPlatformFee = false } = body
  const none = (field: string, what: string) => invalid(field, `this charge has ${what}`, 'value_error')
  if (reversesTransfer && charge.transferAmount === null) throw none('reverse_transfer', 'made no transfer')
  if (refundsPlatformFee && charge.platformFee === null) throw none('refund_platform_fee', 'paid no platform fee')
  const feeBearer = body.fee_bearer ?? (await readSettings(em, charge)).refundFeeBearer
  return {
    feeBearer,
    amount: digits === undefined ? null : parseAmount(digits, charge.currency),
    address: body.refund_address ?? null,
    reference: body.reference,
    reason: body.reason ?? null,
    simulatedOutcome: body.simulated_outcome ?? null,
    takesBack: { reversesTransfer, refundsPlatformFee },
  }
}

export const getRefund = operation({
  ...shared,
  method: 'get',
  path: '/api/v1/payments/refunds/{refund_id}',
  summary: 'Read a refund',
  scope: 'refunds:read',
  params: Type.Object({ refund_id: idParameter('ref') }),
  returns: [200, Refund],
  refuses: ['NOT_FOUND'],

  async handle({ params, caller: { accountId, environment }, em }) {
    const row = await em.findOne(RefundRow, { id: params.refund_id, accountId, environment })
    if (!row) throw new Refusal('NOT_FOUND', 'no such refund')
    return presentRefund(row)
  },
})

export const getRefundOfCharge = operation({
  ...shared,
  method: 'get',
  path: '/api/v1/payments/payins/{charge_id}/refund',
  summary: 'Read the newest refund of a charge',
  scope: 'refunds:read',
  params: Type.Object({ charge_id: idParameter('pay') }),
  returns: [200, Refund],
  refuses: ['NOT_FOUND'],

  async handle({ params, caller: { accountId, environment }, em }) {
    const where = { chargeId: params.charge_id, accountId, environment }
    const row = await em.findOne(RefundRow, where, { orderBy: [{ createdAt: 'desc' }, { id: 'desc' }] })
    if (!row) throw new Refusal('NOT_FOUND', 'no refund of such a charge')
    return presentRefund(row)
  },
})

export const listRefunds = operation({
  ...shared,
  method: 'get',
  path: '/api/v1/payments/refunds',
  summary: 'List refunds, newest first',
  scope: 'refunds:read',
  query: Type.Object({
    ...offsetQuery,
    status: Type.Optional(Type.Enum([...refundStatuses])),
    charge_id: Type.Optional(Type.String({ maxLength: 64, examples: ['pay_…'] })),
    reference: Type.Optional(Type.String({ maxLength: 128 })),
  }),
  returns: [200, pageWithTotal(Refund)],
  refuses: [],

  async handle({ query, caller, em }) {
    const where = whereMatching(caller, query, { status: 'status', charge_id: 'chargeId', reference: 'reference' })
    const [rows, total] = await newestOf(em, RefundRow, where, query)
    return { total, items: rows.map(presentRefund) }
  },
})
