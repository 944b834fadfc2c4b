import { pause, type Wait } from './wait-until.ts'
import { minuteMs } from '../domain/duration.ts'

/** The pause after the mail server was unavailable, in milliseconds. */
const mailPauseMs = 15 * minuteMs

/**
 * Sends a mail. False when the mail server has not accepted it: then a pause has passed, or `unless` has ended it, and
 * the caller checks again what is due.
 */
export async function hasMailed(send: () => Promise<void>, wait: Omit<Wait, 'for'>): Promise<boolean> {
  try {
    await send()
    return true
  } catch {
    await pause(mailPauseMs, { ...wait, for: 'mail server', next: 'the mail is sent again' })
    return false
  }
}
