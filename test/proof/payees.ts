import { randomUUID } from 'node:crypto'
import { type Merchant, transferSale } from '../support/merchant.ts'
import { insist, type Tally } from './buyers.ts'
import type { Deployment } from './deployment.ts'
import { until } from './until.ts'

type Shown = { id: string; status: string; is_usable: boolean }

/** Where the sandbox pays out to: the last four digits say how it answers (decisions.md, section 5). */
export const accounts = { pays: '0123450001', fails: '0123450002', silent: '0123450003', late: '0123456789' }

/** Gives the organization a balance in naira that may be used at once: one sale, paid by bank transfer. */
export async function fund(merchant: Merchant, amount: string): Promise<void> {
  const id = await merchant.chargeByTransfer({ ...transferSale, amount })
  await until(async () => (await merchant.getPayment(id)).status === 'succeeded', 'the balance is there')
}

/** Registers naira accounts and waits until the sandbox has looked at them; answers their ids. */
export async function registerAccounts<K extends string>(
  { sql }: Pick<Deployment, 'sql'>,
  merchant: Merchant,
  numbers: Record<K, string>,
  tally: Tally,
): Promise<Record<K, string>> {
  const ids = {} as Record<K, string>
  for (const [name, account_number] of Object.entries(numbers) as [K, string][]) {
    const body = { name, type: 'bank_account', currency: 'NGN', bank_code: '058', account_number }
    const reply = await insist(merchant, { path: '/v1/payouts/destinations', body }, tally)
    if (reply.status !== 201) throw new Error(`no destination: ${reply.status} ${reply.text}`)
    ids[name] = (reply.body as unknown as Shown).id
  }
  const waiting = `select id from payout_destinations where status = 'pending_review'`
  await until(async () => (await sql(waiting)).length === 0, 'the destinations are reviewed', { withinMs: 60_000 })
  return ids
}

/** Asks for a payout under one key, as often as it takes; answers its id. */
export async function payOut(merchant: Merchant, destination: string, amount: string, tally: Tally): Promise<string> {
  const body = { destination, amount, reference: `out-${randomUUID()}` }
  const reply = await insist(merchant, { path: '/v1/payouts', body }, tally)
  if (reply.status !== 201) tally.faults.push(`payout: ${reply.status} ${reply.text}`)
  return (reply.body as unknown as Shown).id
}
