import { dayMs, hourMs } from './duration.ts'

/**
 * How long the content of events is kept, with their deliveries and the receivers' responses (docs/contract/webhook.md,
 * "Retention"). After that an event is in no list and cannot be read or sent again.
 */
export const eventsKeptMs = 90 * dayMs

/** How long the log of calls can be read. A call is in no list from that moment on, whenever it is deleted. */
export const requestLogsKeptMs = 7 * dayMs

/** How long an answer is kept for its idempotency key: a repeated call gets the same one. */
export const answerKeptMs = dayMs

/**
 * How long each kind of row is kept, in milliseconds: after its own end where it has one (an answer, a token, a quote),
 * else after it was made. The table of docs/operating/data.md says why.
 */
export const keptMs = {
  idempotencyAnswer: 0, // ends after `answerKeptMs`
  rateWindow: hourMs,
  loginChallenge: 0, // ends after 10 minutes
  pendingAuthenticator: 0, // ends after 10 minutes
  loginFailure: 6 * hourMs, // an address is locked for this long
  refreshToken: 0, // ends after 30 days
  signingKey: dayMs, // its last tokens are refused 75 minutes after it has signed them
  mail: 30 * dayMs,
  customerSession: 0, // ends after an hour
  onboardingSession: 30 * dayMs, // an old link still leads to where the seller gets a new one
  teamInvitation: 30 * dayMs, // its page says meanwhile that the link no longer works
  invitationChoice: 0, // ends with the link, after 7 days
  replacedSecret: 0, // ends with its grace period: 24 hours unless the rotation says otherwise
  conversionQuote: dayMs, // ends after 5 minutes
  paymentRequest: 7 * dayMs, // a session lives for 5 days at most, with its late money
  subscriptionChange: 30 * dayMs, // a repeated call is recognized for 24 hours
  oneTimeCode: dayMs,
  railToken: 30 * dayMs,
  delivery: eventsKeptMs,
  eventBody: eventsKeptMs + hourMs, // so that none is purged while it is being sent again
  webhookRecovery: eventsKeptMs,
  requestLog: requestLogsKeptMs,
} as const
