import { pino } from 'pino'
import type { Config } from './config.ts'

export type { Logger } from 'pino'

/** Everything that could hold a secret or a personal datum, wherever in a logged object it stands. */
const secret = [
  'authorization',
  'cookie',
  'card',
  'cvc',
  'client_secret',
  'webhook_secret',
  'password',
  'login_token',
  'access_token',
  'refresh_token',
  'api_key',
  'email',
  'customer_details',
]

type SerializedError = { type: string; code?: string; message?: string; stack?: string; cause?: SerializedError }

/** What is logged of an error: a database's own message may quote a row, so of those only the code and place stay. */
export function serializeError(error: unknown): SerializedError {
  if (!(error instanceof Error)) return { type: typeof error }
  const code = 'code' in error ? error.code : undefined
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  const stack = frames.slice(0, 12).join('\n')
  const isDatabase = 'severity' in error || error.name.endsWith('Exception')
  return {
    type: error.name,
    ...(typeof code === 'string' && { code }),
    ...(!isDatabase && { message: error.message }),
    stack,
    ...(error.cause instanceof Error && { cause: serializeError(error.cause) }),
  }
}

/** Logs in JSON, one line each. What is named like a secret is taken out; bodies are never logged at all. */
export const createLogger = (config: Pick<Config, 'logLevel'>, process: string) =>
  pino({
    name: `steadypay-${process}`,
    level: config.logLevel,
    serializers: { err: serializeError },
    redact: {
      paths: secret.flatMap((name) => [`*.${name}`, `*.headers.${name}`, `headers.${name}`]),
      censor: '[redacted]',
    },
  })
