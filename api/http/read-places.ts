import { Refusal } from '../../domain/refusal.ts'

/** The share of a process's connections that the reads of one account may use at a time. */
const shareMax = 0.7
/** How long a read waits for those of its account that are under way. */
const patienceMs = 1_500

type Waiting = { begin: () => void }
type Account = { underWay: number; waiting: Set<Waiting> }

/**
 * Runs the reads of each account in at most 7 of 10 connections of this process, so that one account's slow lists leave
 * some for the sales of all others. Further reads of the account wait in the order of their arrival, and are refused
 * with `SERVICE_UNAVAILABLE` after 1.5 s.
 */
export function createReadPlaces(connections: number) {
  const max = Math.max(1, Math.floor(connections * shareMax))
  const accounts = new Map<string, Account>()

  function enter(accountId: string): Promise<Account> {
    const account = accounts.get(accountId) ?? { underWay: 0, waiting: new Set() }
    accounts.set(accountId, account)
    if (account.underWay < max) {
      account.underWay += 1
      return Promise.resolve(account)
    }
    return new Promise((resolve, reject) => {
      const waiting = {
        begin() {
          clearTimeout(patience)
          resolve(account)
        },
      }
      account.waiting.add(waiting)
      const patience = setTimeout(() => {
        account.waiting.delete(waiting)
        reject(tooMany())
      }, patienceMs)
    })
  }

  /** Gives a place to the read that has waited for longest. */
  function leave(accountId: string, account: Account): void {
    const [first] = account.waiting
    if (first) {
      account.waiting.delete(first)
      return first.begin()
    }
    account.underWay -= 1
    if (account.underWay === 0) accounts.delete(accountId)
  }

  return async <T>(accountId: string, read: () => Promise<T>): Promise<T> => {
    const account = await enter(accountId)
    try {
      return await read()
    } finally {
      leave(accountId, account)
    }
  }
}

const tooMany = () =>
  new Refusal('SERVICE_UNAVAILABLE', 'too many reads of this organization are under way; try again', [], 2)
