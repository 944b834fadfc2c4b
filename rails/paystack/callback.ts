import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Database } from '../../db/core/database.ts'
import { parseOrNull } from '../../domain/exact-json.ts'
import { fieldsOf, isRecord } from '../../domain/narrow.ts'
import type { Amount } from '../../domain/money.ts'
import type { RailNews } from '../rail-news.ts'
import { fromMinor } from './amount.ts'
import type { PaystackMode } from './api.ts'
import { PaystackOrder } from './book.ts'
import { isIdentifier, paymentOf } from './reference.ts'

/**
 * What a verified callback names. What it says beside that is not used, because the rail is asked; the amount of a
 * transfer is shown until then.
 */
type Named =
  | { kind: 'reference'; of: 'payment' | 'payout' | 'refunds'; reference: string }
  | { kind: 'transaction'; theirId: string }
  | { kind: 'dispute'; reference: string; networkId: string }
  | { kind: 'virtual_account'; accountNumber: string; reference: string; amount: Amount }

/** `forged`: not signed with one of our keys. `not_ours`: signed, and about nothing that this service has to know. */
export type Checked = { verdict: 'forged' | 'not_ours' } | { verdict: 'ours'; named: Named }

/** A callback as it arrived, and the secret keys of Paystack that may have signed it. */
export type CallbackCheck = {
  bytes: Uint8Array
  /** The header `x-paystack-signature`. */
  signature: string | undefined
  secrets: readonly string[]
  /** The mode of our key. */
  mode: PaystackMode
}

/** The largest body that is read; Paystack's have a few thousand bytes. */
const bytesMax = 1024 * 1024

/**
 * Checks the signature of a callback over the bytes as they arrived, and reads whom it names. `signature` is the header
 * `x-paystack-signature`: the hexadecimal HMAC-SHA512 of the body by the secret key. There may be several keys while
 * one is being replaced. All are tried and compared in constant time. There is no timestamp in it, so an old callback
 * may come again, which only causes a question.
 */
export function checkCallback({ bytes, signature, secrets, mode }: CallbackCheck): Checked {
  if (bytes.length > bytesMax || !signature || !/^[0-9a-f]{128}$/i.test(signature)) return { verdict: 'forged' }
  const given = Buffer.from(signature, 'hex')
  let isSigned = false
  for (const key of secrets) {
    const own = createHmac('sha512', key).update(bytes).digest()
    if (key !== '' && timingSafeEqual(own, given)) isSigned = true
  }
  if (!isSigned) return { verdict: 'forged' }
  const named = read(bytes, mode)
  return named ? { verdict: 'ours', named } : { verdict: 'not_ours' }
}

function read(bytes: Uint8Array, mode: PaystackMode): Named | null {
  const { event, data } = fieldsOf(parseOrNull(Buffer.from(bytes).toString()))
  if (typeof event !== 'string' || !isRecord(data)) return null
  // Callbacks of the other environment are signed with the other environment's key; this is a second look.
  if (data['domain'] !== undefined && data['domain'] !== mode) return null
  const reader = Object.hasOwn(readers, event) ? readers[event] : undefined
  return reader?.(data) ?? null
}

type Data = Record<string, unknown>
const text = (value: unknown): string | null => (typeof value === 'string' && isIdentifier(value) ? value : null)

const byReference = (of: 'payment' | 'payout' | 'refunds', field: string) => (data: Data) => {
  const reference = text(data[field])
  return reference === null ? null : { kind: 'reference' as const, of, reference }
}

function ofCharge(data: Data): Named | null {
  const reference = text(data['reference'])
  if (reference === null || data['channel'] !== 'dedicated_nuban') return byReference('payment', 'reference')(data)
  const { receiver_bank_account_number: receiver } = fieldsOf(data['authorization'])
  const [accountNumber, minor] = [text(receiver), data['amount']]
  // Virtual accounts are in NGN only.
  const isMoney = typeof minor === 'string' && /^[1-9]\d{0,19}$/.test(minor) && data['currency'] === 'NGN'
  return accountNumber === null || !isMoney
    ? null
    : { kind: 'virtual_account', accountNumber, reference, amount: fromMinor(minor) }
}

function ofRejectedTransfer(data: Data): Named | null {
  const theirId = text(fieldsOf(data['bank_transfer'])['transaction_id'])
  return theirId === null ? null : { kind: 'transaction', theirId }
}

function ofDispute(data: Data): Named | null {
  const [networkId, reference] = [text(data['id']), text(fieldsOf(data['transaction'])['reference'])]
  return networkId === null || reference === null ? null : { kind: 'dispute', reference, networkId }
}

/** The events that concern a process of ours. */
const readers: Record<string, (data: Data) => Named | null> = {
  'charge.success': ofCharge,
  'bank.transfer.rejected': ofRejectedTransfer,
  'transfer.success': byReference('payout', 'reference'),
  'transfer.failed': byReference('payout', 'reference'),
  'transfer.reversed': byReference('payout', 'reference'),
  'refund.pending': byReference('refunds', 'transaction_reference'),
  'refund.processing': byReference('refunds', 'transaction_reference'),
  'refund.processed': byReference('refunds', 'transaction_reference'),
  'refund.failed': byReference('refunds', 'transaction_reference'),
  'charge.dispute.create': ofDispute,
  'charge.dispute.remind': ofDispute,
  'charge.dispute.resolve': ofDispute,
}

/** Looks in the book for whom a callback concerns: nobody, where it is about nothing that was ordered here. */
export async function concernedBy({ orm }: Pick<Database, 'orm'>, named: Named): Promise<RailNews[]> {
  const em = orm.em.fork()
  if (named.kind === 'virtual_account') {
    const { kind: about, ...rest } = named
    return [{ about, ...rest }]
  }
  if (named.kind === 'transaction') {
    const found = await em.find(PaystackOrder, { theirId: named.theirId, kind: 'charge' })
    return found.map(({ id }) => ({ about: 'payment', id }))
  }
  const paymentId = paymentOf(named.reference)
  if (named.kind === 'dispute') {
    const found = paymentId && (await em.findOne(PaystackOrder, { id: paymentId, kind: 'charge' }))
    if (!found) return []
    // The payment's process opens a dispute that is new, and the dispute's own process asks how it stands.
    const { id } = found
    return [
      { about: 'payment', id },
      { about: 'dispute', paymentId: id, networkId: named.networkId },
    ]
  }
  if (named.of === 'payout') {
    const found = await em.findOne(PaystackOrder, { id: named.reference, kind: 'payout' })
    return found ? [{ about: 'payout', id: found.id }] : []
  }
  if (named.of === 'payment') {
    const found = paymentId && (await em.findOne(PaystackOrder, { id: paymentId, kind: 'charge' }))
    return found ? [{ about: 'payment', id: found.id }] : []
  }
  // A callback of a refund names its payment only, which may have several refunds. One that has ended may come back.
  // A transfer into a virtual account is named as Paystack does.
  const refunded = paymentId === null ? { transferCode: named.reference } : { paymentId }
  const refunds = await em.find(
    PaystackOrder,
    { ...refunded, kind: 'refund', refusedAt: null },
    { orderBy: { id: 'asc' } },
  )
  return refunds.map(({ id }) => ({ about: 'refund', id }))
}
