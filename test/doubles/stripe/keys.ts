import { ApiError } from './books.ts'

/** How long Stripe keeps an idempotency key at least. */
const keptMs = 24 * 3_600_000

type Answer = { status: number; body: unknown }
type Kept = { request: string; at: number; answer: Answer | null }

/** The idempotency keys: the first answer under a key is kept, also a 500, and given again to the same request. */
export function createKeys(nowMs: () => number) {
  const keys = new Map<string, Kept>()
  return {
    /**
     * Takes a key for a request. Returns the answer that is kept for it; null: the request is to be carried out.
     * Throws as Stripe refuses a key that another request has or had.
     */
    take(key: string, request: string): Answer | null {
      const kept = keys.get(key)
      if (!kept || nowMs() - kept.at >= keptMs) {
        keys.set(key, { request, at: nowMs(), answer: null })
        return null
      }
      if (kept.request !== request) {
        const message =
          'Keys for idempotent requests can only be used with the same parameters they were first used with.'
        throw new ApiError(400, { type: 'idempotency_error', message }, true)
      }
      if (kept.answer) return kept.answer
      const message = 'There is currently another in-progress request using this Idempotent Key.'
      throw new ApiError(409, { type: 'invalid_request_error', code: 'idempotency_key_in_use', message }, true)
    },
    keep(key: string, answer: Answer): void {
      const kept = keys.get(key)
      if (kept) kept.answer = answer
    },
    /** The request was refused before it was carried out: the key is free again. */
    release: (key: string) => void keys.delete(key),
  }
}
