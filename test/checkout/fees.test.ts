import assert from 'node:assert/strict'
import { test } from 'node:test'
import { corridorKeys } from '../../domain/corridor.ts'
import { sale, transferSale } from '../support/merchant.ts'
import { changeAccount } from '../support/rows.ts'
import { useStack } from '../support/use-stack.ts'

const stack = await useStack({ pace: { thinkingMs: 50, blockMs: 50 } })

/** What a finished sale has posted, by ledger account, as plain numbers. */
async function posted(paymentId: unknown): Promise<Record<string, string>> {
  const rows = await stack.sql<{ book: string; amount: string }>(
    `select book, trim_scale(sum(amount))::text as amount from ledger_entries e
     join ledger_transactions t on t.id = e.transaction_id
     where t.source_id = ? or t.source_id in (
       select payment_id || '/' || session_id from simulated_deposits where payment_id = ?
       union all select payment_id || '/' || tx_hash from simulated_coins where payment_id = ?)
     group by book having sum(amount) <> 0`,
    [paymentId, paymentId, paymentId],
  )
  return Object.fromEntries(rows.map(({ book, amount }) => [book, amount]))
}

const of = (currency: string) => ({ ...sale, currency })
const cases = [
  // USD_CARD: 2.9 % and 0.30; 2.9 % of 19.99 is 0.57971, with 0.30 it rounds half up to 0.88.
  { sale, payment_method: 'USD_CARD', amount: '19.99', fee: '0.88', onTop: '20.87', net: '19.11' },
  // The merchant's fee never exceeds the amount.
  { sale, payment_method: 'USD_CARD', amount: '0.20', fee: '0.31', onTop: '0.51', net: '0', cappedFee: '0.2' },
  // NGN_CARD: 1.5 % and 100, at most 2000.
  { sale: transferSale, payment_method: 'NGN_CARD', amount: '1000.01', fee: '115', onTop: '1115.01', net: '885.01' },
  { sale: transferSale, payment_method: 'NGN_CARD', amount: '900000.00', fee: '2000', onTop: '902000', net: '898000' },
  // NGN_BANK_TRANSFER: 1 %, at most 300.
  {
    sale: transferSale,
    payment_method: 'NGN_BANK_TRANSFER',
    amount: '333.33',
    fee: '3.33',
    onTop: '336.66',
    net: '330',
  },
  {
    sale: transferSale,
    payment_method: 'NGN_BANK_TRANSFER',
    amount: '99999.99',
    fee: '300',
    onTop: '100299.99',
    net: '99699.99',
  },
  // Mobile money: a percentage at the currency's own precision, which is none for RWF, UGX, XAF and XOF.
  { sale: of('GHS'), payment_method: 'MOMO_GHS', amount: '100.00', fee: '1.95', onTop: '101.95', net: '98.05' },
  { sale: of('KES'), payment_method: 'MOMO_KES', amount: '33.33', fee: '0.5', onTop: '33.83', net: '32.83' },
  { sale: of('RWF'), payment_method: 'MOMO_RWF', amount: '1999', fee: '50', onTop: '2049', net: '1949' },
  { sale: of('TZS'), payment_method: 'MOMO_TZS', amount: '0.20', fee: '0.01', onTop: '0.21', net: '0.19' },
  { sale: of('UGX'), payment_method: 'MOMO_UGX', amount: '60', fee: '2', onTop: '62', net: '58' },
  { sale: of('XAF'), payment_method: 'MOMO_XAF', amount: '1000', fee: '54', onTop: '1054', net: '946' },
  { sale: of('XOF'), payment_method: 'MOMO_XOF', amount: '50', fee: '26', onTop: '76', net: '24' },
  { sale: of('ZMW'), payment_method: 'MOMO_ZMW', amount: '10.01', fee: '0.75', onTop: '10.76', net: '9.26' },
  // CRYPTO: 1 % in dollars, whatever the asset.
  { sale, payment_method: 'CRYPTO', amount: '19.99', fee: '0.2', onTop: '20.19', net: '19.79' },
]

test('every corridor is among the cases', () => {
  const tried = new Set(cases.map(({ payment_method }) => payment_method))
  assert.deepEqual([...tried].toSorted(), corridorKeys.toSorted())
})

const plain = (amount: string) => (amount.includes('.') ? amount.replace(/\.?0+$/, '') : amount)

for (const preference of ['customer_pays', 'org_pays'] as const) {
  for (const { sale: kind, payment_method, amount, fee, onTop, net, cappedFee } of cases) {
    const isOnTop = preference === 'customer_pays'
    test(`${preference}: ${amount} by ${payment_method} is posted correctly to the last unit`, async () => {
      await changeAccount(stack, stack.organizationId, { feePreference: preference })
      const session = await stack.merchant.createCheckout({ ...kind, amount })
      const path = `/v1/test-helpers/checkout-sessions/${session.checkout_id}/pay`
      const { body, text } = await stack.merchant.call('POST', path, { payment_method })
      assert.equal(body['status'], 'completed', text)
      const { payment_id, amount: charged } = body['charge'] as unknown as Record<string, string>
      assert.equal(plain(charged ?? ''), isOnTop ? onTop : plain(amount))
      const merchant = isOnTop ? plain(amount) : net
      const fees = isOnTop ? fee : (cappedFee ?? fee)
      const expected = { rail: `-${plain(charged ?? '')}`, ...(merchant !== '0' && { merchant }), fees }
      assert.deepEqual(await posted(payment_id), expected)
      const [event] = await stack.sql<{ body: string }>(
        `select body from events where resource_id = ? and type = 'collection.succeeded'`,
        [payment_id],
      )
      assert.equal(plain(JSON.parse(event?.body ?? '{}').data.settlement_amount), plain(merchant) || '0')
    })
  }
}

test('after these sales the ledger keeps all its invariants', async () => {
  await stack.dispatched()
  assert.deepEqual(await stack.check(), [])
})
