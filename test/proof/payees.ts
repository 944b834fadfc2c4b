import { type Clock, systemClock } from '../../engine/clock.ts'
import { endow } from '../support/conversion.ts'
import type { Merchant } from '../support/merchant.ts'
import { addDestination, lastFour } from '../support/payout.ts'
import { insist, type Tally } from './buyers.ts'
import type { Deployment } from './deployment.ts'

/** The demo organization's destinations, in dollars and without a fee, by what the sandbox's rail does with them. */
export type Payees = Record<keyof typeof lastFour, string>

/** Gives the demo organization dollars that are available at the time of `clock`, and destinations to send them to. */
export async function preparePayouts(
  { database, organizationId: accountId }: Deployment,
  amount: string,
  clock: Clock = systemClock,
): Promise<Payees> {
  await endow({ database, clock }, accountId, amount, 'USD')
  const owner = { accountId, environment: 'sandbox' as const }
  const made = Object.entries(lastFour).map(async ([name, ends]) => {
    return [name, await addDestination({ database }, owner, { currency: 'USD', scheme: 'ach', ends })]
  })
  return Object.fromEntries(await Promise.all(made)) as Payees
}

/** Creates a payout as the docs tell clients to; returns its id, or the code of the refusal. */
export async function makePayout(
  merchant: Merchant,
  destination: string,
  tally: Tally,
  body: object = {},
): Promise<{ id: string } | { refused: string }> {
  const call = { path: '/v1/payouts', body: { destination, amount: '10.00', ...body } }
  const reply = await insist(merchant, call, tally)
  const { id, error_code: code } = reply.body as Record<string, unknown>
  return reply.status === 201 ? { id: String(id) } : { refused: String(code) }
}

/** How many payouts have this status. */
export async function countPayouts({ sql }: Pick<Deployment, 'sql'>, status: string): Promise<number> {
  return (await sql('select from payouts where status = ?', [status])).length
}
