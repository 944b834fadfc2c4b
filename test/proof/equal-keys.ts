import { buyer, card, cards, type Merchant, type Reply } from '../support/merchant.ts'
import { create, insist, newTally, runMany } from './buyers.ts'
import { deploy } from './deployment.ts'
import { waitUntilIdle } from './rest.ts'
import type { Scenario } from './scenario.ts'

const callers = 50

/** `size` is the number of rounds; in each, 50 callers create one session, and 50 pay it. */
export const equalKeys: Scenario = {
  promise: '50 calls with one key at once, to two API processes, make one session or payment and get one answer',
  size: 20,
  async run(size) {
    const deployment = await deploy()
    try {
      const apis = [await deployment.startApi(), await deployment.startApi()]
      await deployment.startWorker()
      const violations: string[] = []
      const tally = newTally()
      const merchantOf = (n: number) => apis[n % apis.length]?.merchant as Merchant
      for (let round = 0; round < size; round++) {
        const sessions = await together((n) => create(merchantOf(n), tally, undefined, `create-${round}`))
        const [session] = sessions
        if (new Set(sessions.map(({ client_secret }) => client_secret)).size !== 1) violations.push('several sessions')
        if (!session) continue
        const body = { customer_details: buyer, payment_method: 'USD_CARD', card: card(cards.success), confirm: true }
        const path = `/v1/checkout-sessions/${session.checkout_id}/pay`
        const call = { path, body, secret: session.client_secret, key: `pay-${round}` }
        const replies = await together((n) => insist(merchantOf(n), { ...call, address: `10.1.${round}.${n}` }, tally))
        if (new Set(replies.map(({ text }) => text)).size !== 1) violations.push('several answers to one payment')
        violations.push(...replies.filter(({ status }) => status !== 200).map(({ text }) => text))
      }
      const count = (table: string) => deployment.sql(`select from ${table}`).then((rows) => rows.length)
      const [sessions, charges] = [await count('checkouts'), await count('simulated_charges')]
      if (sessions !== size || charges !== size)
        violations.push(`${sessions} sessions and ${charges} charges of ${size}`)
      violations.push(...tally.errors, ...(await waitUntilIdle(deployment, 30_000)).violations)
      return { figures: { calls: size * callers * 2, sessions, charges, repeatedCalls: tally.repeats }, violations }
    } finally {
      await deployment.stop()
    }
  },
}

async function together<T extends Reply | { client_secret: string }>(call: (n: number) => Promise<T>): Promise<T[]> {
  const answers: T[] = []
  await runMany(callers, callers, async (n) => void answers.push(await call(n)))
  return answers
}
