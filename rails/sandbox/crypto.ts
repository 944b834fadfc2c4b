import { createHash } from 'node:crypto'
import type { Database } from '../../db/core/database.ts'
import { SimulatedAddress, SimulatedCoins } from './book.ts'
import { coinsFor, type CryptoNetwork, formatCoins, networkOf } from '../../domain/checkout/crypto.ts'
import { add, isLess, isZero, subtract } from '../../domain/money.ts'
import type { NextAction } from '../../domain/checkout/payment.ts'
import type { Rail, RailAnswer } from '../rail.ts'
import type { RateSource } from '../rates.ts'
import { createSimulatedDisputes } from './dispute.ts'
import { createSimulatedRefunds } from './refund.ts'

/** Blocks that have to follow before coins count, and the milliseconds between two of them. */
const confirmationsMin = 2
const usualBlockMs = 1_000

/** Crypto, simulated: an address per charge and coins that the test helper sends, confirmed as blocks follow. */
export function createSimulatedCrypto(database: Database, rates: RateSource, blockMs = usualBlockMs): Rail<'sandbox'> {
  const { orm } = database
  async function lookUp(paymentId: string, at: number): Promise<RailAnswer> {
    const em = orm.em.fork()
    const address = await em.findOne(SimulatedAddress, { paymentId })
    if (!address) return { status: 'not_found' }
    const sent = await em.find(SimulatedCoins, { paymentId }, { orderBy: { id: 1 } })
    return answerOf(address, sent, { at, blockMs })
  }

  return {
    ...createSimulatedRefunds(database),
    ...createSimulatedDisputes(database),
    async charge({ paymentId, amount, asset, expiresAt, listensUntil }, at) {
      if (!asset) throw new Error('a crypto charge names no asset')
      const rate = await rates.usdPerCoin(asset)
      await orm.em.fork().execute(
        `insert into simulated_addresses (payment_id, asset, address, amount_usd, rate, coins, expires_at, closes_at)
         values (?, ?, ?, ?, ?, ?, ?, ?) on conflict (payment_id) do nothing`,
        [
          paymentId,
          asset,
          addressOf(paymentId, networkOf(asset)),
          amount,
          rate,
          coinsFor(amount, rate, asset),
          new Date(expiresAt),
          new Date(listensUntil),
        ],
      )
      return lookUp(paymentId, at)
    },
    confirm: (paymentId, _codeToken, at) => lookUp(paymentId, at), // the network confirms; there is no code to check
    // An address cannot be taken back: what is sent to it arrives.
    cancelCharge: lookUp,
    lookUp,
  }
}

/** Blocks follow one another, so what is confirmed is always the first of what was sent. */
function answerOf(
  address: SimulatedAddress,
  sent: SimulatedCoins[],
  { at, blockMs }: { at: number; blockMs: number },
): RailAnswer {
  const blocks = ({ seenAt }: SimulatedCoins) => Math.max(0, Math.floor((at - seenAt.getTime()) / blockMs))
  const next = sent.find((coins) => blocks(coins) < confirmationsMin)
  const confirmed = next ? sent.slice(0, sent.indexOf(next)) : sent
  const received = totalOf(confirmed, 'worth')
  const newest = next ?? sent.at(-1)
  const details = newest && {
    asset: address.asset,
    tx_hash: newest.txHash,
    confirmations: Math.min(blocks(newest), confirmationsMin),
  }
  const due = next && { newsDueAt: next.seenAt.getTime() + (blocks(next) + 1) * blockMs }
  const isPaid = !isLess(received, address.amountUsd)
  if (next && details && !isPaid) return { status: 'processing', details, confirmed: received, ...due }
  if (!details || isZero(received)) return { status: 'requires_action', nextAction: awaiting(address, confirmed) }
  const deposits = confirmed
    .filter(({ worth }) => !isZero(worth))
    .map(({ txHash, worth }) => ({ id: txHash, amount: worth }))
  if (isPaid) return { status: 'succeeded', received, deposits, details, ...due }
  return { status: 'underpaid', received, deposits, details, nextAction: awaiting(address, confirmed) }
}

const totalOf = (all: SimulatedCoins[], what: 'coins' | 'worth') => all.reduce((sum, each) => add(sum, each[what]), '0')

function awaiting(address: SimulatedAddress, confirmed: SimulatedCoins[]): NextAction {
  const asset = address.asset
  return {
    type: 'crypto_address',
    asset,
    network: networkOf(asset),
    address: address.address,
    amount: formatCoins(subtract(address.coins, totalOf(confirmed, 'coins')), asset),
    expires_at: address.expiresAt.toISOString(),
  }
}

const base58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/**
 * An address of this payment alone, in its network's form. It spells `sandbox` (in hex where that is the form) and a
 * real wallet refuses TRON's for its check digits: nobody's real coins are to get lost here.
 */
function addressOf(paymentId: string, network: CryptoNetwork): string {
  const digest = createHash('sha256').update(paymentId).digest()
  if (network !== 'SOL' && network !== 'TRC20') {
    return `0x${Buffer.from('sandbox').toString('hex')}${digest.toString('hex').slice(0, 26)}`
  }
  const letters = [...digest].map((byte) => base58[byte % 58]).join('')
  return network === 'SOL' ? `sandbox${letters}` : `Tsandbox${letters.slice(0, 26)}`
}
