import type { Environment } from '../access/scope.ts'

/** Where a call comes from: a program, or a person who has sent a form of the dashboard. */
export const callSources = ['api', 'dashboard'] as const
export type CallSource = (typeof callSources)[number]

/** A call of a merchant as the log keeps it: no body, no header, no value of a query or a field. */
export type LoggedCall = {
  /** Of the row: a request id may come twice, as a caller may choose it. */
  id: string
  accountId: string
  environment: Environment
  requestId: string
  method: string
  /** The path of the operation, with `{id}` for parameters, and the path that was called. */
  route: string
  path: string
  status: number
  errorCode: string | null
  /** The names of the fields that were wrong. */
  errorFields: string[]
  keyId: string | null
  userId: string | null
  /** The connected account that it acted for. */
  actingFor: string | null
  source: CallSource
  apiVersion: string | null
  /** Whether its answer was that of an earlier call with the same idempotency key. */
  isReplay: boolean
  durationMs: number
  /** When it arrived, in milliseconds since the epoch. */
  at: number
}
