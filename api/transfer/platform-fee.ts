import Type from 'typebox'
import { reverseTransfer } from '../../commands/transfer/transfer.ts'
import { Transfer } from '../../db/transfer/transfer.ts'
import { idParameter, nullable, page, pageQuery } from '../../schemas/common.ts'
import {
  PlatformFee,
  PlatformFeeWithRefunds,
  presentPlatformFee,
  presentPlatformFeeRefund,
} from '../../schemas/transfer/platform-fee.ts'
import { createdRange, whereMatching } from '../http/filters.ts'
import { operation } from '../http/operation.ts'
import { listPage } from '../http/pagination.ts'
import { amountErrors } from '../http/sent-amount.ts'
import { amountBack, findMoved, lockMoved, returnsOf } from './moved.ts'

const shared = { tag: 'Platform fees', auth: ['apiKey'] } as const

export const listPlatformFees = operation({
  ...shared,
  method: 'get',
  path: '/v1/platform-fees',
  summary: 'List the fees that the platform has earned, newest first',
  scope: 'platform_fees:read',
  query: Type.Object({
    ...pageQuery,
    ...createdRange,
    account_id: Type.Optional(Type.String({ maxLength: 64, description: 'The account that has paid it.' })),
    payment_id: Type.Optional(Type.String({ maxLength: 64 })),
  }),
  returns: [200, page(PlatformFee)],
  refuses: [],

  async handle({ query, caller, em, services }) {
    const columns = { account_id: 'fromAccountId', payment_id: 'paymentId' }
    const where = { ...whereMatching(caller, query, columns), kind: 'platform_fee' as const }
    const { rows, pagination } = await listPage({ em, services }, Transfer, where, query)
    return { items: rows.map(presentPlatformFee), pagination }
  },
})

const PlatformFeeId = Type.Object({ platform_fee_id: idParameter('pf') })

export const getPlatformFee = operation({
  ...shared,
  method: 'get',
  path: '/v1/platform-fees/{platform_fee_id}',
  summary: 'Read a platform fee with its refunds; the account that has paid it can read it too',
  scope: 'platform_fees:read',
  params: PlatformFeeId,
  returns: [200, PlatformFeeWithRefunds],
  refuses: ['NOT_FOUND'],

  async handle({ params, caller, em }) {
    const fee = await findMoved(em, caller, 'platform_fee', params.platform_fee_id)
    return { ...presentPlatformFee(fee), refunds: (await returnsOf(em, fee)).map(presentPlatformFeeRefund) }
  },
})

const RefundPlatformFee = Type.Object(
  {
    amount: Type.Optional(
      nullable(Type.String({ description: 'Left out: everything that is left of it.', examples: ['5.00'] })),
    ),
  },
  { $id: 'RefundPlatformFee' },
)

export const refundPlatformFee = operation({
  ...shared,
  method: 'post',
  path: '/v1/platform-fees/{platform_fee_id}/refund',
  summary: 'Refund a platform fee, or a part of it, to the account that has paid it',
  scope: 'platform_fees:write',
  params: PlatformFeeId,
  body: RefundPlatformFee,
  validate: ({ amount }) => amountErrors('amount', amount, null),
  returns: [200, PlatformFee],
  refuses: ['NOT_FOUND', 'REFUND_EXCEEDS_REMAINING', 'INSUFFICIENT_BALANCE'],

  async handle({ params, body, caller, em, now }) {
    const fee = await lockMoved(em, caller, 'platform_fee', params.platform_fee_id)
    await reverseTransfer(em, fee, { amount: amountBack(body.amount, fee) }, now)
    return presentPlatformFee(fee)
  },
})
