import Type, { type Static } from 'typebox'
import { makeTransfer, reverseTransfer } from '../../commands/transfer/transfer.ts'
import { Account, findConnected } from '../../db/core/account.ts'
import type { Tenant } from '../../db/core/columns.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { readRow } from '../../db/core/prepared-statement.ts'
import { assertCapable } from '../../db/platform/capability.ts'
import { Transfer as TransferRow } from '../../db/transfer/transfer.ts'
import { knownCurrency } from '../../domain/currency.ts'
import { mergeMetadata } from '../../domain/metadata.ts'
import { parseAmount } from '../../domain/money.ts'
import { Refusal } from '../../domain/refusal.ts'
import { idParameter, Metadata, nullable, page, pageQuery, sentCurrency, singleLine } from '../../schemas/common.ts'
import {
  presentTransfer,
  presentTransferReversal,
  Transfer,
  TransferReversal,
  TransferWithReversals,
} from '../../schemas/transfer/transfer.ts'
import { createdRange, whereMatching } from '../http/filters.ts'
import { operation } from '../http/operation.ts'
import { listPage } from '../http/pagination.ts'
import { amountErrors } from '../http/sent-amount.ts'
import { amountBack, findMoved, lockMoved, returnsOf } from './moved.ts'

const shared = { tag: 'Transfers', auth: ['apiKey'] } as const

const CreateTransfer = Type.Object(
  {
    destination: idParameter('acct'),
    amount: Type.String({ examples: ['70.00'] }),
    currency: sentCurrency({ minLength: 3, maxLength: 10 }),
    reference: Type.Optional(nullable(singleLine(128))),
    description: Type.Optional(nullable(singleLine(500))),
    metadata: Type.Optional(Metadata),
  },
  { $id: 'CreateTransfer' },
)

export const createTransfer = operation({
  ...shared,
  method: 'post',
  path: '/v1/transfers',
  summary: 'Transfer available money to a connected account, or from one to its platform',
  scope: 'transfers:write',
  body: CreateTransfer,
  validate: ({ amount, currency }) => amountErrors('amount', amount, currency),
  returns: [201, Transfer],
  refuses: ['NOT_FOUND', 'CURRENCY_NOT_SUPPORTED', 'INSUFFICIENT_BALANCE', 'CAPABILITY_NOT_ACTIVE'],

  async handle({ body, caller, em, now }) {
    const { accountId, environment } = caller
    const connected = await connectedOf(em, caller, body.destination)
    await assertCapable(em, { accountId: connected, environment }, 'transfers')
    return presentTransfer(await makeTransfer(em, caller, wanted(body, accountId), now))
  },
})

function wanted(body: Static<typeof CreateTransfer>, fromAccountId: string) {
  const { destination: toAccountId, reference, description, metadata } = body
  const currency = knownCurrency(body.currency)
  const amount = parseAmount(body.amount, currency)
  const noted = {
    reference: reference ?? null,
    description: description ?? null,
    metadata: mergeMetadata({}, metadata),
  }
  return { kind: 'transfer' as const, fromAccountId, toAccountId, currency, amount, ...noted }
}

/**
 * Which of the two accounts is the connected one: it needs the capability, whether it receives or sends. Refuses an
 * account that is neither connected to the caller nor their platform, like one that does not exist.
 */
async function connectedOf(em: EntityManager, caller: Tenant, destination: string): Promise<string> {
  if (await findConnected(em, caller, destination)) return destination
  const own = await readRow(em, Account, { id: caller.accountId })
  if (own?.ownerId === destination) return caller.accountId
  throw new Refusal('NOT_FOUND', 'no such destination account')
}

const TransferId = Type.Object({ transfer_id: idParameter('tr') })

export const getTransfer = operation({
  ...shared,
  method: 'get',
  path: '/v1/transfers/{transfer_id}',
  summary: 'Read a transfer with its reversals; its receiver can read it too',
  scope: 'transfers:read',
  params: TransferId,
  returns: [200, TransferWithReversals],
  refuses: ['NOT_FOUND'],

  async handle({ params, caller, em }) {
    const transfer = await findMoved(em, caller, 'transfer', params.transfer_id)
    const reversals = (await returnsOf(em, transfer)).map(presentTransferReversal)
    return { ...presentTransfer(transfer), reversals }
  },
})

export const listTransfers = operation({
  ...shared,
  method: 'get',
  path: '/v1/transfers',
  summary: 'List the transfers that the account has sent, newest first',
  scope: 'transfers:read',
  query: Type.Object({
    ...pageQuery,
    ...createdRange,
    destination: Type.Optional(Type.String({ maxLength: 64 })),
    payment_id: Type.Optional(Type.String({ maxLength: 64 })),
    reference: Type.Optional(Type.String({ maxLength: 128 })),
  }),
  returns: [200, page(Transfer)],
  refuses: [],

  async handle({ query, caller, em, services }) {
    const columns = { destination: 'toAccountId', payment_id: 'paymentId', reference: 'reference' }
    const where = { ...whereMatching(caller, query, columns), kind: 'transfer' as const }
    const { rows, pagination } = await listPage({ em, services }, TransferRow, where, query)
    return { items: rows.map(presentTransfer), pagination }
  },
})

const CreateReversal = Type.Object(
  {
    amount: Type.Optional(
      nullable(Type.String({ description: 'Left out: everything that is left of it.', examples: ['35.00'] })),
    ),
    description: Type.Optional(nullable(singleLine(500))),
    metadata: Type.Optional(Metadata),
  },
  { $id: 'CreateTransferReversal' },
)

export const reverseTransferBack = operation({
  ...shared,
  method: 'post',
  path: '/v1/transfers/{transfer_id}/reversals',
  summary: 'Move a transfer, or a part of it, back',
  scope: 'transfers:write',
  params: TransferId,
  body: CreateReversal,
  validate: ({ amount }) => amountErrors('amount', amount, null),
  returns: [201, TransferReversal],
  refuses: ['NOT_FOUND', 'REFUND_EXCEEDS_REMAINING', 'INSUFFICIENT_BALANCE'],

  async handle({ params, body, caller, em, now }) {
    const transfer = await lockMoved(em, caller, 'transfer', params.transfer_id)
    const { description = null } = body
    const metadata = mergeMetadata({}, body.metadata)
    const back = { amount: amountBack(body.amount, transfer), description, metadata }
    return presentTransferReversal(await reverseTransfer(em, transfer, back, now))
  },
})
