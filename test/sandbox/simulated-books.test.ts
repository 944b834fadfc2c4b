import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSandboxRails } from '../../rails/sandbox/rail-set.ts'
import { useDatabase } from '../support/use-database.ts'

// What the simulated rails answer from their books when a number is taken, or a token has been deleted.
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

test('a question on a phone whose token has been deleted is still answered', async () => {
  const wallets = rails.of('MOMO_KES')
  const vault = rails.vaultOf('MOMO_KES')
  const sale = { ...order, corridor: 'MOMO_KES', amount: '500', currency: 'KES', provider: 'mpesa' } as const
  const token = await vault.keepPhone('+254700000001')
  await wallets.charge({ ...sale, paymentId: 'pay_paid', token }, at)
  await wallets.charge({ ...sale, paymentId: 'pay_pin', token, provider: 'vodafone' }, at)
  const code = await vault.keepCode('123456')
  await sql('delete from simulated_phones')
  await wallets.charge({ ...sale, paymentId: 'pay_late', token }, at)
  const confirmed = await wallets.confirm('pay_pin', code, at)
  const asked = await wallets.lookUp('pay_late', at)
  const paid = await wallets.lookUp('pay_paid', at + 60_000)
  const late = await wallets.lookUp('pay_late', at + 3_600_000)
  for (const answer of [confirmed, asked]) {
    assert.equal(answer.status === 'requires_action' && answer.nextAction.type, 'phone_prompt')
  }
  assert.deepEqual(paid.status === 'succeeded' && paid.details, { provider: 'mpesa' })
  assert.deepEqual(late, { status: 'failed', failureCode: 'customer_timeout' })
})

test('a card that is to be saved, and whose token has been deleted, is declined', async () => {
  const setups = rails.cardSetupsOf('USD_CARD')
  const setup = { ...order, corridor: 'USD_CARD' } as const
  const token = await rails.vaultOf('USD_CARD').keepCard({
    number: '4242424242424242',
    exp_month: 12,
    exp_year: 2040,
    cvc: '123',
  })
  const declined = { status: 'failed', failureCode: 'card_declined' }
  assert.equal((await setups.setUp({ ...setup, setupId: 'set_1', token })).status, 'succeeded')
  await sql('delete from simulated_cards')
  assert.deepEqual(await setups.lookUp('set_1'), declined)
  assert.deepEqual(await setups.setUp({ ...setup, setupId: 'set_2', token }), declined)
})
