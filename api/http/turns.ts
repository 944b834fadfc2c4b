import type { Refusal } from '../../domain/refusal.ts'

/** How long a call waits for its turn, in milliseconds, and how it is refused after that. */
export type Patience = { ms: number; refusal: () => Refusal }

type Waiting = { begin: () => void; givesUp?: NodeJS.Timeout }
type Account = { underWay: number; waiting: Set<Waiting> }

/**
 * Runs at most `max` calls of an account at a time. The others wait in the order of their arrival: for ever, or as long
 * as there is patience.
 */
export function createTurns(max: (accountId: string) => number, patience?: Patience) {
  const accounts = new Map<string, Account>()

  function goOn(accountId: string, account: Account): void {
    for (const call of account.waiting) {
      if (account.underWay >= max(accountId)) break
      account.waiting.delete(call)
      account.underWay += 1
      clearTimeout(call.givesUp)
      call.begin()
    }
    if (account.underWay === 0 && account.waiting.size === 0) accounts.delete(accountId)
  }

  const turnOf = (accountId: string, account: Account) =>
    new Promise<void>((resolve, reject) => {
      const call: Waiting = { begin: resolve }
      account.waiting.add(call)
      goOn(accountId, account)
      if (!patience || !account.waiting.has(call)) return
      call.givesUp = setTimeout(() => {
        account.waiting.delete(call)
        reject(patience.refusal())
      }, patience.ms)
    })

  return {
    async take<T>(accountId: string, work: () => Promise<T>): Promise<T> {
      let account = accounts.get(accountId)
      if (!account) accounts.set(accountId, (account = { underWay: 0, waiting: new Set() }))
      if (account.waiting.size === 0 && account.underWay < max(accountId)) account.underWay += 1
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
