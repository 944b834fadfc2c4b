import { LockMode } from '@mikro-orm/core'
import Type from 'typebox'
import { type EntityManager, inTransaction } from '../../db/core/database.ts'
import { aboutPayout } from '../../domain/payout/process.ts'
import { Payout as PayoutRow } from '../../db/payout/payout.ts'
import { SimulatedPayout } from '../../rails/sandbox/payout-book.ts'
import { signalProcess } from '../../db/core/start-process.ts'
import { Refusal } from '../../domain/refusal.ts'
import { Payout, presentPayout } from '../../schemas/payout/payout.ts'
import { operation } from '../http/operation.ts'
import { findPayout, PayoutId } from '../payout/payout.ts'
import { assertSandbox } from '../http/assert-sandbox.ts'
import { readUntil } from './read-until.ts'

const outcomes = ['success', 'failed', 'returned'] as const
type Outcome = (typeof outcomes)[number]

export const settlePayout = operation({
  method: 'post',
  path: '/v1/test-helpers/payouts/{payout_id}/settle',
  summary: 'Set the outcome of a payout at the sandbox’s rail',
  tag: 'Test helpers',
  auth: ['apiKey'],
  scope: 'test_helpers:write',
  mode: 'process',
  params: PayoutId,
  body: Type.Object(
    { outcome: Type.Optional(Type.Enum([...outcomes], { default: 'success' })) },
    { $id: 'SettlePayout' },
  ),
  returns: [200, Payout],
  refuses: ['NOT_FOUND', 'CONFLICT', 'SIMULATION_NOT_ALLOWED'],

  async handle({ params, body: { outcome = 'success' }, caller, em, services }) {
    assertSandbox(caller)
    const { id } = await findPayout(em, caller, params.payout_id)
    await inTransaction(services.database, (writing) => storeOutcome(writing, id, outcome))
    return presentPayout(await waitForOutcome(em, id, outcome))
  },
})

/** Stores the outcome in the simulated rail, if it is possible there, and signals the payout's process. */
async function storeOutcome(em: EntityManager, id: string, outcome: Outcome): Promise<void> {
  const lockMode = LockMode.PESSIMISTIC_WRITE
  const payout = await em.findOneOrFail(PayoutRow, { id }, { lockMode })
  const entry = await em.findOne(SimulatedPayout, { payoutId: id }, { lockMode })
  if (!entry) throw new Refusal('CONFLICT', 'the payout is not with its rail')
  const ends = { success: 'completed', failed: 'failed', returned: 'returned' } as const
  if (entry.status === ends[outcome]) return
  const needs = outcome === 'returned' ? 'completed' : 'processing'
  if (entry.status !== needs || payout.status !== needs) {
    throw new Refusal('CONFLICT', `only a payout with the status ${needs} can have this outcome`)
  }
  if (outcome === 'success') entry.executions += 1
  entry.status = ends[outcome]
  signalProcess(em, 'payout', id, aboutPayout(payout, 'rail'), 'railAnswered')
}

/** Waits some seconds for the payout's process to apply the outcome, and returns the payout. */
const waitForOutcome = (reader: EntityManager, id: string, outcome: Outcome): Promise<PayoutRow> =>
  readUntil(
    () => reader.fork().findOneOrFail(PayoutRow, { id }),
    ({ returnedAt, status }) => (outcome === 'returned' ? returnedAt !== null : status !== 'processing'),
  )
