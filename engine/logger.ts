import { pino } from 'pino'
import type { Config } from './config.ts'

export type { Logger } from 'pino'

/** The keys of secrets and personal data, at any place in a logged object. */
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

/** An error as it is logged. A database's message may quote a row, so only its code and stack are logged. */
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

/** The lines that wait in memory while they cannot be written, in bytes. What comes after that is left out. */
const keptBytes = 1_000_000

/**
 * Standard output. A line that cannot be written, as on a full disk, is tried again with the next one: a log must not
 * end a process that could go on.
 */
function standardOutput() {
  const output = pino.destination({ dest: 1, sync: true, maxLength: keptBytes })
  output.on('error', () => undefined)
  return output
}

/**
 * The log of a process: one line of JSON per message. `fields` are added to each line. Values with the name of a secret
 * are removed; bodies are never logged.
 */
export const createLogger = (config: Pick<Config, 'logLevel'>, process: string, fields?: () => object) =>
  pino(
    {
      ...(fields && { mixin: fields }),
      name: `steadypay-${process}`,
      level: config.logLevel,
      serializers: { err: serializeError },
      redact: {
        paths: secret.flatMap((name) => [`*.${name}`, `*.headers.${name}`, `headers.${name}`]),
        censor: '[redacted]',
      },
    },
    standardOutput(),
  )
