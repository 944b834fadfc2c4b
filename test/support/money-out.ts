import assert from 'node:assert/strict'
import { createAccessTokens } from '../../api/access/access-token.ts'
import { systemClock } from '../../engine/clock.ts'
import type { Deployment } from '../proof/deployment.ts'
import { endow, exchanging } from './conversion.ts'
import { requestRegistration, type Destination, read, register } from './destination.ts'
import { destinations, type Rail } from './destination-examples.ts'
import type { Merchant, Reply } from './merchant.ts'
import { addStaff } from './staff.ts'
import { until } from './until.ts'

const open = '77390008' // the sandbox leaves it to a reviewer
const silent = '77390003' // its rail never answers
const phone = '+254733998872'
const wallet = destinations.USDT_TRC20.wallet_address
const holder = 'Markedholder Person'
const own = {
  reference: 'markedreference-7',
  description: 'Markeddescription',
  metadata: { markedkey: 'markedmetadata' },
}
const reason = 'Markedreason of the staff'
const proof = 'MARKEDPROOF-9'

/** The routing of destinations, and what the merchant and staff write about payouts. */
export const outMarks = {
  routing: [open, silent, phone, phone.slice(1), phone.slice(4), wallet, holder],
  words: [own.reference, own.description, 'markedkey', 'markedmetadata', 'Markedreason', proof],
}

/** Sends the marks through everything that can happen to destinations and payouts; returns the refused calls. */
export async function sendMoneyOut(deployment: Deployment, merchant: Merchant): Promise<Reply[]> {
  const { database, encrypter, sql } = deployment
  const services = { accessTokens: createAccessTokens(database, encrypter), clock: systemClock }
  const [{ id: organizationId } = assert.fail()] = await sql<{ id: string }>('select account_id as id from api_keys')
  const staff = await addStaff({ database, services, merchant, organizationId })
  for (const currency of ['GBP', 'KES', 'USD'] as const)
    await endow({ database, clock: systemClock }, organizationId, '1000', currency)

  const add = (rail: Rail, more: object) => register(merchant, rail, { name: holder, metadata: own.metadata, ...more })
  const bank = { account_name: holder, account_number: silent }
  const [left, stuck, byPhone, byWallet] = await Promise.all([
    add('GBP', { ...bank, account_number: open }),
    add('GBP', bank),
    add('wallet_KES', { phone_number: phone }),
    add('USDT_TRC20', {}),
  ])
  const decide = (what: string, body: object) => staff.call('POST', `/api/v1/admin/${what}/review`, body)
  ok(await decide(`payout-destinations/${left?.id}`, { decision: 'reject', reason }))
  for (const each of [stuck, byPhone, byWallet]) await usable(merchant, each)

  const pay = async (to: Destination | undefined, status: string, more: object) => {
    const { id } = await merchant.payOut(to?.id ?? '', { ...own, amount: '100.00', ...more })
    await until(async () => (await merchant.getPayout(id)).status === status, `a payout is ${status}`)
    return id
  }
  await pay(byPhone, 'completed', { source_currency: 'KES' })
  await pay(byWallet, 'completed', {})
  const held = await pay(byPhone, 'pending', { source_currency: 'KES', reference: 'sandbox_hold' })
  ok(await decide(`payouts/${held}`, { decision: 'reject', reason }))
  const [failing, arriving] = [
    await pay(stuck, 'processing', { source_currency: 'GBP' }),
    await pay(stuck, 'processing', { source_currency: 'GBP' }),
  ]
  ok(await staff.onPayout(failing, 'mark-failed', { reason }))
  ok(await staff.onPayout(arriving, 'mark-settled', { reason, proof_ref: proof }))
  await exchanging(merchant).convert({ reference: own.reference, metadata: own.metadata })

  return [
    await requestRegistration(merchant, 'GBP', { ...bank, account_number: phone, metadata: own }),
    await requestRegistration(merchant, 'USDT_TRC20', { wallet_address: `${wallet}x`, account_name: holder }),
    await merchant.call('POST', '/v1/payouts', {
      ...own,
      destination: stuck?.id,
      amount: '900000',
      source_currency: 'GBP',
    }),
    await merchant.call('POST', '/v1/payouts', { ...own, destination: wallet, amount: phone }),
    await decide(`payouts/${held}`, { decision: 'approve', reason }),
    await staff.onPayout(arriving, 'mark-failed', { reason, proof_ref: proof }),
  ]
}

const ok = ({ status, text }: Reply) => assert.equal(status, 200, text)

const usable = (merchant: Merchant, destination: Destination | undefined) =>
  until(async () => (await read(merchant, destination ?? assert.fail())).is_usable, 'the sandbox approves it')
