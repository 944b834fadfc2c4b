import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../db/core/database.ts'
import { PaystackAccount } from './book.ts'

/** How long one process has an account for itself: longer than all calls of one opening together. */
const claimSeconds = 60
/** How often, and how many times, a second one looks whether the first has finished. */
const pollMs = 250
const pollsMax = 80

/** Somebody else opens the same account at this moment. */
class BeingOpened extends Error {
  override readonly name = 'BeingOpened'
  readonly code = 'PAYSTACK_BEING_OPENED'
}

/** The book of virtual accounts. Each call is one statement, and none holds a connection while Paystack is asked. */
export function createAccountBook({ orm }: Database) {
  const run = <T extends object>(sql: string, params: unknown[]) => orm.em.fork().execute<T[]>(sql, params)

  async function claim(id: string): Promise<Date | null> {
    const [taken] = await run<{ sending_until: Date | string }>(
      `update paystack_accounts set sending_until = now() + interval '${claimSeconds} seconds'
       where id = ? and (sending_until is null or sending_until <= now()) returning sending_until`,
      [id],
    )
    return taken ? new Date(taken.sending_until) : null
  }

  async function waitForClaim(id: string): Promise<Date> {
    for (let poll = 0; poll < pollsMax; poll++) {
      const until = await claim(id)
      if (until) return until
      await sleep(pollMs)
    }
    throw new BeingOpened(`the account of ${id} is being opened`)
  }

  return {
    /**
     * Enters a holder, and runs `work` while nobody else opens the same account. `email` is only used the first time:
     * the entry that `work` gets has the address that Paystack knows.
     */
    async alone<T>(id: string, email: string, work: (entry: PaystackAccount) => Promise<T>): Promise<T> {
      await run('insert into paystack_accounts (id, email) values (?, ?) on conflict (id) do nothing', [id, email])
      const until = await waitForClaim(id)
      try {
        return await work(await orm.em.fork().findOneOrFail(PaystackAccount, { id }))
      } finally {
        await run('update paystack_accounts set sending_until = null where id = ? and sending_until = ?', [id, until])
      }
    },

    /** Notes what Paystack has opened. */
    noteOpened: async (id: string, customerCode: string, accountNumber: string): Promise<void> =>
      void (await run('update paystack_accounts set customer_code = ?, account_number = ? where id = ?', [
        customerCode,
        accountNumber,
        id,
      ])),
  }
}

export type AccountBook = ReturnType<typeof createAccountBook>
