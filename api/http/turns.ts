import type { Refusal } from '../../domain/refusal.ts'
import { removeFrom } from './remove-from.ts'

/** How long a call waits for its turn, in milliseconds, and how it is refused after that. */
export type Patience = { ms: number; refusal: () => Refusal }

type Waiting = { begin: () => void; givesUp?: NodeJS.Timeout }
type Account = { underWay: number; waiting: Waiting[] }

/** From so many accounts on, those of which no call is under way are forgotten. */
const accountsMax = 10_000

/**
 * Runs at most `max` calls of an account at a time. The others wait in the order of their arrival: for ever, or as long
 * as there is patience.
 */
export function createTurns(max: (accountId: string) => number, patience?: Patience) {
  const accounts = new Map<string, Account>()

  function goOn(accountId: string, account: Account): void {
    while (account.underWay < max(accountId)) {
      const call = account.waiting.shift()
      if (!call) return
      account.underWay += 1
      clearTimeout(call.givesUp)
      call.begin()
    }
  }

  /** An account is kept while it calls: see `removeFrom` for what to fill and empty a `Map` would cost. */
  function accountOf(accountId: string): Account {
    const known = accounts.get(accountId)
    if (known) return known
    if (accounts.size >= accountsMax)
      for (const [id, { underWay, waiting }] of accounts) if (underWay + waiting.length === 0) accounts.delete(id)
    const account: Account = { underWay: 0, waiting: [] }
    accounts.set(accountId, account)
    return account
  }

  const turnOf = (accountId: string, account: Account) =>
    new Promise<void>((resolve, reject) => {
      const call: Waiting = { begin: resolve }
      account.waiting.push(call)
      goOn(accountId, account)
      if (!patience || !account.waiting.includes(call)) return
      call.givesUp = setTimeout(() => {
        removeFrom(account.waiting, call)
        reject(patience.refusal())
      }, patience.ms)
    })

  return {
    async take<T>(accountId: string, work: () => Promise<T>): Promise<T> {
      const account = accountOf(accountId)
      if (account.waiting.length === 0 && account.underWay < max(accountId)) account.underWay += 1
      else await turnOf(accountId, account)
      try {
        return await work()
      } finally {
        account.underWay -= 1
        goOn(accountId, account)
      }
    },
  }
}
