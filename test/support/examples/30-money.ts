import { endow } from '../conversion.ts'
import { destinations } from '../destination-examples.ts'
import type { Stories } from '../examples.ts'
import { sale } from '../merchant.ts'
import { addDestination, lastFour } from '../payout.ts'
import { until } from '../until.ts'

export const stories: Stories = {
  async refunds({ show, known, merchant }) {
    const charge_id = await merchant.chargeByCard({ ...sale, amount: '900.00' })
    const refund = await show('POST /api/v1/payments/refunds', {
      body: { charge_id, reference: 'return-1', amount: 12.5, reason: 'One item came back', fee_bearer: 'ORG' },
    })
    Object.assign(known, { refund_id: refund['refund_id'], resource_id: refund['refund_id'], charge_id })
  },

  async conversions({ show, known, stack, accountId }) {
    await endow(stack, accountId, '50000.00', 'USD')
    await endow(stack, accountId, '5000000.00', 'NGN')
    const quote = await show('POST /v1/conversions/quotes', {
      body: { from_currency: 'USD', to_currency: 'NGN', from_amount: '100.00' },
    })
    const { quote_id } = quote
    known['quote_id'] = String(quote_id)
    const done = await show('POST /v1/conversions', { body: { quote_id, reference: 'treasury-7' } })
    known['conversion_id'] = String(done['conversion_id'])
  },

  async destinations({ show, known, merchant, stack, accountId }) {
    const path = '/v1/payouts/destinations'
    const made = await show(`POST ${path}`, {
      body: { name: 'Main account', ...destinations.NGN },
      summary: 'A bank account in Nigeria',
    })
    await show(`POST ${path}`, {
      body: { name: 'Our wallet in Kenya', ...destinations.wallet_KES },
      name: 'mobileMoney',
      summary: 'A mobile money wallet',
    })
    known['destination_id'] = known['own_destination_id'] = String(made['id'])
    const isApproved = async () => (await merchant.call('GET', `${path}/${made['id']}`)).body['status'] === 'approved'
    await until(isApproved, 'the destination is approved')
    const { currency, bank_code, account_number } = destinations.NGN
    await show(`POST ${path}/resolve`, { body: { currency, bank_code, account_number } })
    await show(`PATCH ${path}/{destination_id}`, { body: { name: 'Main account, Lagos', is_default: true } })
    const old = await addDestination(stack, { accountId, environment: 'sandbox' })
    await show(`DELETE ${path}/{destination_id}`, { params: { destination_id: old } })
    known['destination_id'] = String(made['id'])
    await show('GET /v1/reference/banks', { query: { currency: 'UGX' } })
  },

  async payouts({ show, known, stack, accountId, merchant }) {
    const destination = known['destination_id']
    await show('POST /v1/payouts/estimate', { body: { destination, amount: '1000.00' } })
    const payout = await show('POST /v1/payouts', {
      body: { destination, amount: '1000.00', reference: 'salaries-1', description: 'Salaries of January' },
    })
    known['payout_id'] = String(payout['id'])
    const pounds = await addDestination(stack, { accountId, environment: 'sandbox' }, { currency: 'GBP' })
    const quote = { from_currency: 'USD', to_currency: 'GBP', from_amount: '100.00' }
    const { body } = await merchant.call('POST', '/v1/conversions/quotes', quote)
    await show('POST /v1/payouts', {
      body: { destination: pounds, quote_id: body['quote_id'] },
      name: 'quote',
      summary: 'Into another currency, by a quote',
    })
    const silent = await addDestination(stack, { accountId, environment: 'sandbox' }, { ends: lastFour.neverAnswers })
    const open = await merchant.payOut(silent, { amount: '1000.00' })
    await until(async () => (await merchant.getPayout(open.id)).status === 'processing', 'the payout is at its rail')
    await show('POST /v1/test-helpers/payouts/{payout_id}/settle', {
      params: { payout_id: open.id },
      body: { outcome: 'success' },
    })
    known['payout_id'] = String(payout['id'])
  },

  async schedules({ show }) {
    const schedule = { interval: 'daily', minimum_amount: '1000.00' }
    await show('POST /v1/balance_settings', { body: { schedule_by_currency: { NGN: schedule } } })
  },
}
