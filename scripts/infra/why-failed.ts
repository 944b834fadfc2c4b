import { DriverException } from '@mikro-orm/core'
import { isGrpcServiceError } from '@temporalio/client'
import { NamespaceNotFoundError } from '@temporalio/common'
import { DatabaseError } from 'pg'
import { MigrationFailed, SchemaMismatch } from '../../db/migrate.ts'
import { Refusal } from '../../domain/refusal.ts'
import { ConfigError } from '../../engine/config.ts'
import { EngineUnreachable } from '../../engine/connection.ts'
import { isUnavailable } from '../../engine/unavailable.ts'
import { RegistrationRefused } from './search-attributes.ts'
import { ReleaseRefused } from './worker-releases.ts'

/** Errors whose message says all: what is wrong, and where it helps, what to do. */
const saysAll = [
  Refusal,
  ConfigError,
  SchemaMismatch,
  MigrationFailed,
  EngineUnreachable,
  RegistrationRefused,
  ReleaseRefused,
]

/** Codes of Postgres whose message may quote the values of a row: those of data and of constraints. */
const quotesValues = /^2[23]/

/**
 * Why a command of an operator could not be done, in one line without secrets. An error that nobody has foreseen is
 * returned as it is, to be printed with its stack.
 */
export function whyFailed(error: unknown): unknown {
  if (saysAll.some((kind) => error instanceof kind)) return (error as Error).message
  const chain = [...withCauses(error)]
  // The engine's first: its client wraps the answer, and the outer error has neither its code nor its words.
  const ofEngine = chain.find((each) => isGrpcServiceError(each) || each instanceof NamespaceNotFoundError)
  if (ofEngine) return `Temporal at TEMPORAL_ADDRESS: ${saidByEngine(ofEngine)}`
  const ofDatabase = chain.find(isOfDatabase)
  return ofDatabase ? `The database of DATABASE_URL: ${saidByDatabase(ofDatabase)}` : error
}

/** An error and its causes, the outermost first. */
function* withCauses(error: unknown): Generator<Error> {
  for (let inner = error; inner instanceof Error; inner = inner.cause) yield inner
}

const saidByEngine = (error: Error): string => (isGrpcServiceError(error) && error.details) || error.message

/** MikroORM converts the errors of statements, and not those of a transaction that cannot begin. */
const isOfDatabase = (error: Error): boolean =>
  error instanceof DriverException || error instanceof DatabaseError || isUnavailable(error)

/** The message without the statement, and its code. `localhost` has two addresses, and then Node leaves it empty. */
function saidByDatabase({ message, code = '' }: Error & { code?: string }): string {
  if (quotesValues.test(code)) return `it refuses the change (${code})`
  const [line = ''] = message.split('\n')
  return line === '' || line.includes(code) ? line || code : `${line} (${code})`
}
