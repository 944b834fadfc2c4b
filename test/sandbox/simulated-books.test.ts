import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSandboxRails } from '../../rails/sandbox/rail-set.ts'
import { useDatabase } from '../support/use-database.ts'

// What the simulated rails answer from their books when a number is taken.
const database = await useDatabase()
const rails = createSandboxRails(database)
const sql = (text: string, params: unknown[] = []) => database.orm.em.fork().execute(text, params)
const at = Date.UTC(2026, 0, 31)
const order = {
  environment: 'sandbox' as const,
  email: null,
  returnUrl: null,
  token: null,
  securityCode: null,
  statementText: null,
  savesCard: false,
  provider: null,
  asset: null,
  listensUntil: at + 60_000,
  expiresAt: at + 60_000,
}

test('a charge whose account number is taken gets another one, and the same one each time', async () => {
  const transfers = rails.of('NGN_BANK_TRANSFER')
  const sale = { ...order, corridor: 'NGN_BANK_TRANSFER', amount: '5000', currency: 'NGN' } as const
  const numberOf = async (paymentId: string) => {
    const answer = await transfers.charge({ ...sale, paymentId }, at)
    assert.ok(answer.status === 'requires_action' && answer.nextAction.type === 'bank_transfer')
    return answer.nextAction.account_number
  }
  const taken = [await numberOf('pay_1')]
  for (const owner of ['pay_a', 'pay_b']) {
    await sql(`update simulated_charges set payment_id = ? where payment_id = 'pay_1'`, [owner])
    const next = await numberOf('pay_1')
    assert.match(next, /^[1-9][0-9]{9}$/)
    assert.ok(!taken.includes(next))
    assert.equal(await numberOf('pay_1'), next)
    taken.push(next)
  }
})
