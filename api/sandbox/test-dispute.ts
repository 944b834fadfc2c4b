import { LockMode } from '@mikro-orm/core'
import Type, { type Static } from 'typebox'
import { lookForDisputes } from '../../commands/dispute/tell-disputes.ts'
import { Payment } from '../../db/checkout/payment.ts'
import { type EntityManager, inTransaction, lock } from '../../db/core/database.ts'
import { signalProcess } from '../../db/core/start-process.ts'
import { timeOf } from '../../db/core/test-clock.ts'
import { Dispute as DisputeRow } from '../../db/dispute/dispute.ts'
import { disputableOf, isDisputable, isDisputeEnded } from '../../domain/dispute/dispute.ts'
import { aboutDispute } from '../../domain/dispute/process.ts'
import { type Amount, format, isLess, parseAmount, subtract } from '../../domain/money.ts'
import { invalid, Refusal } from '../../domain/refusal.ts'
import { SimulatedDispute } from '../../rails/sandbox/book.ts'
import { networkIdOf, raiseInSandbox } from '../../rails/sandbox/dispute.ts'
import { warningMs } from '../../rails/sandbox/test-values.ts'
import { idParameter } from '../../schemas/common.ts'
import { Dispute, presentDispute } from '../../schemas/dispute/dispute.ts'
import { raisedDispute } from '../../schemas/sandbox/dispute.ts'
import { findPayment } from '../checkout/payment.ts'
import { findDispute } from '../dispute/dispute.ts'
import { assertSandbox } from '../http/assert-sandbox.ts'
import { operation } from '../http/operation.ts'
import { testHelper } from './declared.ts'
import { readUntil } from './read-until.ts'
import { validateAmount } from './test-deposit.ts'

const RaiseDispute = Type.Object(raisedDispute, { $id: 'RaiseDispute' })

export const raiseDispute = operation({
  ...testHelper,
  path: '/v1/test-helpers/payments/{payment_id}/dispute',
  summary: 'Dispute a card payment, as its buyer’s bank does',
  params: Type.Object({ payment_id: idParameter('pay') }),
  body: RaiseDispute,
  validate: validateAmount,
  returns: [201, Dispute],
  refuses: ['NOT_FOUND', 'CONFLICT', 'SIMULATION_NOT_ALLOWED'],

  async handle({ params, body, caller, em, now, callId, services }) {
    assertSandbox(caller)
    const payment = await findPayment(em, caller, params.payment_id)
    const networkId = await inTransaction(services.database, (writing) =>
      raiseAtNetwork(writing, payment.id, body, callId, now),
    )
    return presentDispute(await waitUntilOpened(em, payment.id, networkId))
  },
})

/** Enters the dispute into the network's book, once for each call, and signals the process of the payment. */
async function raiseAtNetwork(
  em: EntityManager,
  paymentId: string,
  { amount: sent, reason = 'fraudulent', early_warning: isWarning = false }: Static<typeof RaiseDispute>,
  callId: string,
  now: number,
): Promise<string> {
  const payment = await lock(em, Payment, paymentId)
  const known = await em.findOne(SimulatedDispute, { networkId: networkIdOf(paymentId, callId) })
  if (known) return known.networkId
  const at = await timeOf(em, payment, now)
  if (payment.status !== 'succeeded' || !isDisputable(payment.corridor))
    throw new Refusal('CONFLICT', 'only a card payment that has succeeded can be disputed')
  const amount = amountOf(payment, await unopenedOf(em, paymentId), sent)
  const warnsUntil = isWarning ? at + warningMs : null
  const networkId = await raiseInSandbox(em, { paymentId, key: callId }, { amount, reason, warnsUntil }, at)
  await lookForDisputes(em, payment, at)
  return networkId
}

/** What the network's book has of disputes of a payment that are not opened yet. */
async function unopenedOf(em: EntityManager, paymentId: string): Promise<Amount> {
  const [row] = await em.execute<{ amount: string }[]>(
    `select coalesce(sum(s.amount), 0) as amount from simulated_disputes s where s.payment_id = ?
       and s.status = 'needs_response' and not exists (
         select from disputes d where d.payment_id = s.payment_id and d.network_id = s.network_id)`,
    [paymentId],
  )
  return row?.amount ?? '0'
}

const nothingLeft = () => new Refusal('CONFLICT', 'refunds and disputes have left nothing of this payment')

function amountOf(payment: Payment, unopened: Amount, sent: string | undefined): Amount {
  const left = subtract(disputableOf(payment), unopened)
  const shown = `${format(left, payment.currency)} ${payment.currency}`
  if (!isLess('0', left)) throw nothingLeft()
  const amount = sent === undefined ? left : parseAmount(sent, payment.currency)
  if (isLess(left, amount)) throw invalid('amount', `must be at most ${shown}, which is left`, 'value_error.range')
  return amount
}

/** Waits some seconds until the payment's process has opened the dispute. */
async function waitUntilOpened(reader: EntityManager, paymentId: string, networkId: string): Promise<DisputeRow> {
  const read = () => reader.fork().findOne(DisputeRow, { paymentId, networkId })
  const dispute = await readUntil(read, (found) => found !== null)
  if (!dispute) throw await whyNotOpened(reader, paymentId)
  return dispute
}

/** Why a dispute was not opened: a refund was faster and has left nothing, or the payment's process is late. */
async function whyNotOpened(reader: EntityManager, paymentId: string): Promise<Refusal> {
  const payment = await reader.fork().findOneOrFail(Payment, { id: paymentId })
  if (!isLess('0', disputableOf(payment))) return nothingLeft()
  return new Refusal('SERVICE_UNAVAILABLE', 'the dispute was raised, but is not opened yet')
}

const outcomes = ['won', 'lost', 'withdrawn'] as const
const finalStatuses = [...outcomes, 'closed']

export const settleDispute = operation({
  ...testHelper,
  path: '/v1/test-helpers/disputes/{dispute_id}/settle',
  summary: 'Set how the network decides a dispute; withdrawn: the buyer has taken it back',
  params: Type.Object({ dispute_id: idParameter('dsp') }),
  body: Type.Object({ outcome: Type.Enum([...outcomes]) }, { $id: 'SettleDispute' }),
  returns: [200, Dispute],
  refuses: ['NOT_FOUND', 'CONFLICT', 'SIMULATION_NOT_ALLOWED'],

  async handle({ params, body: { outcome }, caller, em, services }) {
    assertSandbox(caller)
    const { id, networkId } = await findDispute(em, caller, params.dispute_id)
    if (outcome !== 'withdrawn') await waitForEvidence(em, id, networkId)
    await inTransaction(services.database, (writing) => storeOutcome(writing, id, outcome))
    return presentDispute(await waitUntilEnded(em, id))
  },
})

/** Waits some seconds until the network has the evidence of a dispute that is under review: its process sends it. */
const waitForEvidence = (reader: EntityManager, id: string, networkId: string): Promise<unknown> =>
  readUntil(
    async () => {
      const { status } = await reader.fork().findOneOrFail(DisputeRow, { id })
      const entry = await reader.fork().findOne(SimulatedDispute, { networkId })
      return status !== 'under_review' || entry?.status !== 'needs_response'
    },
    (isThere) => isThere,
  )

/** Stores the outcome in the network's book, and signals the process of the dispute. */
async function storeOutcome(em: EntityManager, id: string, outcome: (typeof outcomes)[number]): Promise<void> {
  const dispute = await lock(em, DisputeRow, id)
  const { networkId } = dispute
  const entry = await em.findOne(SimulatedDispute, { networkId }, { lockMode: LockMode.PESSIMISTIC_WRITE })
  // A provider's test mode has disputes too, and decides them itself.
  if (!entry) throw new Refusal('CONFLICT', 'the dispute is not with the sandbox’s network')
  if (entry.status === outcome) return
  if (finalStatuses.includes(entry.status))
    throw new Refusal('CONFLICT', `the network has decided already: ${entry.status}`)
  const decided = outcome !== 'withdrawn'
  if (isDisputeEnded(dispute.status)) throw new Refusal('CONFLICT', `the dispute is ${dispute.status}`)
  if (decided && entry.status !== 'under_review')
    throw new Refusal('CONFLICT', 'the network decides a dispute once its evidence is submitted')
  entry.status = outcome
  signalProcess(em, 'dispute', id, aboutDispute(dispute), 'networkAnswered')
}

/** Waits some seconds for the dispute's process to apply the outcome, and returns the dispute. */
const waitUntilEnded = (reader: EntityManager, id: string): Promise<DisputeRow> =>
  readUntil(
    () => reader.fork().findOneOrFail(DisputeRow, { id }),
    ({ status }) => isDisputeEnded(status),
  )
