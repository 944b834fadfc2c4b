import { now, type Wait, waitUntil } from './wait-until.ts'

/** A mail server that is unavailable is left alone for so long, in milliseconds. */
const mailPauseMs = 15 * 60_000

/**
 * Sends a mail. False where the mail server has not taken it: a pause has passed then, or `unless` has ended it, and
 * the caller looks again at what is due.
 */
export async function hasMailed(send: () => Promise<void>, wait: Omit<Wait, 'for'>): Promise<boolean> {
  try {
    await send()
    return true
  } catch {
    await waitUntil(now() + mailPauseMs, { for: 'mail server', ...wait })
    return false
  }
}
