import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { applyAnswer } from '../../activities/checkout/answer.ts'
import { acceptShortPayment } from '../../activities/checkout/accept-payment.ts'
import { newPayment } from '../../activities/checkout/attempt.ts'
import { openCode } from '../../activities/checkout/code.ts'
import { endSession, giveUpSetups, supersede } from '../../activities/checkout/end.ts'
import { applySetup, newSetup } from '../../activities/checkout/setup.ts'
import { CardSetup } from '../../db/checkout/card-setup.ts'
import { Checkout } from '../../db/checkout/checkout.ts'
import { Payment, PaymentRequest } from '../../db/checkout/payment.ts'
import { type EntityManager, inTransaction } from '../../db/core/database.ts'
import { setupMoves, type SetupStatus, setupStatuses } from '../../domain/checkout/card-setup.ts'
import {
  type CheckoutPaymentStatus,
  type CheckoutStatus,
  checkoutStatuses,
  sessionMoves,
} from '../../domain/checkout/checkout.ts'
import { paymentMoves, paymentStatuses, type PaymentStatus } from '../../domain/checkout/payment.ts'
import type { Corridor } from '../../domain/corridor.ts'
import { newId } from '../../domain/id.ts'
import type { Moves } from '../../domain/move.ts'
import type { RailAnswer, SetupAnswer } from '../../rails/rail.ts'
import { ROOT } from '../../scripts/infra/paths.ts'
import { buyer, setup as setupSale, transferSale } from '../support/merchant.ts'
import { useStack } from '../support/use-stack.ts'

// The stack has no workers, so nothing happens besides what these tests do.
const stack = await useStack({ workers: false })

test('the guide has the table of a payment’s transitions', () => {
  const guide = readFileSync(join(ROOT, 'docs/guides/checkout.md'), 'utf8')
  const section = guide.split('## A payment’s `status`'.replace('’', "'"))[1]?.split('\n## ')[0] ?? ''
  const rows = section.split('\n').filter((line) => line.startsWith('| `'))
  const namesIn = (cell = '') => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name)
  const documented = rows.map((row) => {
    const [, status, , next] = row.split('|')
    return [namesIn(status)[0], namesIn(next).toSorted()]
  })
  // The guide does not list that a payment keeps its status.
  const moves = Object.entries(paymentMoves).map(([from, to]) => [from, to.filter((each) => each !== from).toSorted()])
  assert.deepEqual(Object.fromEntries(documented), Object.fromEntries(moves))
})

/** The transitions that have happened, in the form of a table. */
function seenMoves<S extends string>(statuses: readonly S[]) {
  const seen = new Map<S, Set<S>>(statuses.map((status) => [status, new Set()]))
  return {
    note: (from: S, to: S) => void seen.get(from)?.add(to),
    assertEqual(moves: Moves<S>): void {
      for (const from of statuses)
        assert.deepEqual([...(seen.get(from) ?? [])].toSorted(), moves[from].toSorted(), from)
    },
  }
}

class Undone extends Error {}

/** Works in a transaction that is rolled back. */
async function tryOut(work: (em: EntityManager) => Promise<void>): Promise<void> {
  const attempt = inTransaction(stack.database, async (em) => {
    await work(em)
    await em.flush()
    throw new Undone()
  })
  await assert.rejects(attempt, Undone)
}

/** Notes each assignment of a row's status, also of the same status. */
function watch<S extends string>(row: { status: S }, note: (from: S, to: S) => void): void {
  let status = row.status
  Object.defineProperty(row, 'status', {
    get: () => status,
    set(to: S) {
      note(status, to)
      status = to
    },
  })
}

/** The `payment_status` of a payment's session, while the session is open and once it has ended. */
const whileOpen: Record<PaymentStatus, CheckoutPaymentStatus> = {
  requires_action: 'requires_action',
  processing: 'processing',
  underpaid: 'requires_action',
  failed: 'failed',
  canceled: 'requires_confirmation',
  succeeded: 'succeeded',
}
const onceEnded = { completed: 'succeeded', expired: 'canceled', cancelled: 'canceled' } as const

const money = (amount: string) => ({ received: amount, deposits: [{ id: 'one', amount }], details: null })
const railAnswers: RailAnswer[] = [
  { status: 'succeeded', ...money('5000.00') },
  { status: 'underpaid', ...money('2000.00') },
  { status: 'failed', failureCode: 'card_declined' },
  { status: 'requires_action', nextAction: { type: 'otp' } },
  { status: 'processing' },
  { status: 'canceled' },
  { status: 'not_found' },
]

/** A payment request of a session, as the API writes it. */
const requestOf = (session: Checkout, corridor: Corridor, at: number) => ({
  id: newId('pay', at),
  checkoutId: session.id,
  corridor,
  railToken: 'tok',
  encryptedReturnUrl: null,
  provider: null,
  asset: null,
  methodDetails: null,
  rate: null,
  quotedAmount: '5000.00',
  quotedFee: '50.00',
  lineItems: null,
  customerDetails: null,
  createdAt: new Date(at),
})

test('each legal transition of a payment and of a session happens, and no other is tried', async () => {
  const { checkout_id: id } = await stack.merchant.createCheckout(transferSale)
  const [payments, sessions] = [seenMoves(paymentStatuses), seenMoves(checkoutStatuses)]
  const at = await stack.clock.now()

  /** Gives a payment and its session a status, and does something with them. */
  async function happen(
    from: PaymentStatus,
    status: CheckoutStatus,
    what: (em: EntityManager, session: Checkout, payment: Payment) => Promise<unknown>,
  ): Promise<void> {
    await tryOut(async (em) => {
      const session = await em.findOneOrFail(Checkout, { id })
      const request = em.create(PaymentRequest, requestOf(session, 'NGN_BANK_TRANSFER', at))
      const payment = em.create(Payment, newPayment(session, request, { statementText: null, at }))
      const paymentStatus = status === 'open' ? whileOpen[from] : onceEnded[status]
      Object.assign(payment, { status: from, ...(from === 'underpaid' && { amountReceived: '1000.00' }) })
      Object.assign(session, { status, paymentStatus, paymentId: payment.id, attempts: 1, customerDetails: buyer })
      session.requestId = from === 'canceled' ? newId('pay', at) : payment.id
      await em.flush()
      watch(payment, payments.note)
      watch(session, sessions.note)
      await what(em, session, payment)
    })
  }

  for (const from of paymentStatuses) {
    for (const status of checkoutStatuses) {
      const isPendingAfterEnd = status !== 'open' && (from === 'processing' || from === 'requires_action')
      if (isPendingAfterEnd || (status === 'open' && from === 'succeeded')) continue // no session gets there
      for (const answer of railAnswers) {
        await happen(from, status, (em, session, payment) => applyAnswer(em, session, payment, answer, at))
      }
      if (status !== 'open') continue
      for (const end of ['expired', 'cancelled'] as const) {
        await happen(from, status, (em, session) => endSession(em, session, end, at))
      }
      await happen(from, status, (em, session) => supersede(em, session, null, at))
      await happen(from, status, (em, session, payment) => openCode(em, session.id, payment.id, at))
    }
  }
  await happen('canceled', 'expired', async (em, session, payment) => {
    await applyAnswer(em, session, payment, { status: 'underpaid', ...money('2000.00') }, at)
    await em.flush()
    await acceptShortPayment(em, session, payment.id, at)
  })
  payments.assertEqual(paymentMoves)
  sessions.assertEqual(sessionMoves)
})

const saved = { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2040, country: 'US' }
const setupAnswers: SetupAnswer[] = [
  { status: 'succeeded', token: 'tok', card: saved },
  { status: 'failed', failureCode: 'card_declined' },
  { status: 'requires_action', nextAction: { type: 'otp' } },
  { status: 'processing' },
  { status: 'not_found' },
]

test('each legal transition of a card setup happens, and no other is tried', async () => {
  const { checkout_id: id } = await stack.merchant.createCheckout(setupSale)
  const setups = seenMoves(setupStatuses)
  const at = await stack.clock.now()

  async function happen(from: SetupStatus, what: (em: EntityManager, session: Checkout, setup: CardSetup) => unknown) {
    await tryOut(async (em) => {
      const session = await em.findOneOrFail(Checkout, { id })
      const request = em.create(PaymentRequest, requestOf(session, 'USD_CARD', at))
      const setup = em.create(CardSetup, { ...newSetup(session, request, at), status: from })
      Object.assign(session, { paymentStatus: whileOpen[from], requestId: setup.id, attempts: 1 })
      Object.assign(session, { customerDetails: buyer })
      await em.flush()
      watch(setup, setups.note)
      await what(em, session, setup)
    })
  }

  for (const from of setupStatuses) {
    for (const answer of setupAnswers) {
      await happen(from, (em, session, setup) => applySetup(em, session, setup.id, answer, at))
    }
    await happen(from, (em, session) => giveUpSetups(em, session, at))
    await happen(from, (em, session, setup) => openCode(em, session.id, setup.id, at))
  }
  setups.assertEqual(setupMoves)
})
