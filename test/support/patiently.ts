import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Repeats a call while the service answers that it is overloaded, as a merchant does: other tests are a load too. A
 * call with an idempotency key may be repeated after any `SERVICE_UNAVAILABLE`.
 */
export async function patiently<T>(call: () => Promise<T>, answer = 'the service is overloaded'): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await call()
    } catch (error) {
      if (tries === 120 || !String(error).includes(answer)) throw error
      await sleep(1_000)
    }
  }
}
