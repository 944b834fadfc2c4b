import type { Connection } from '@temporalio/client'
import { msNumberToTs } from '@temporalio/common/lib/time.js'
import { openEngine } from '../../engine/connection.ts'
import { type GrpcError, hasGrpcStatus } from '../../engine/grpc-status.ts'
import type { TemporalAccess } from '../../engine/temporal-config.ts'
import { SetupError } from './session.ts'
import type { Report } from './temporal-binary.ts'
import { dayMs } from '../../domain/duration.ts'

/** As temporal-dev.sh registers them; a service of TEMPORAL_ADDRESS may not have them yet. */
const NAMES = ['AccountId', 'Environment', 'Resource', 'State', 'WaitingOn']
const KEYWORD = 2 // temporal.api.enums.v1.IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD

/** The service does not let this process make what it needs. The message says what somebody else has to make. */
export class RegistrationRefused extends Error {}

/**
 * Registers the search attributes that the namespace lacks. Throws `RegistrationRefused` if that is not allowed and
 * some are missing. Temporal Cloud allows it to nobody.
 */
export async function registerSearchAttributes(
  connection: Connection,
  namespace: string,
  names = NAMES,
): Promise<void> {
  try {
    const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace })
    const missing = names.filter((name) => customAttributes?.[name] === undefined)
    if (missing.length === 0) return
    const searchAttributes = Object.fromEntries(missing.map((name) => [name, KEYWORD]))
    await connection.operatorService.addSearchAttributes({ namespace, searchAttributes })
  } catch (error) {
    if (!isRefused(error)) throw error
    const missing = await unknownOf(connection, namespace, names)
    if (missing.length === 0) return
    const what = `the search attributes ${missing.join(', ')}, each of the type Keyword`
    throw new RegistrationRefused(
      `The namespace ${namespace} lacks ${what}, and the service does not let this process make them ` +
        `(${error.details}). Make them with its own tools, then run this again.`,
      { cause: error },
    )
  }
}

/** Those of the search attributes by which no process can be asked for, as the namespace does not know them. */
async function unknownOf({ workflowService }: Connection, namespace: string, names: string[]): Promise<string[]> {
  const unknown = []
  for (const name of names) {
    try {
      await workflowService.countWorkflowExecutions({ namespace, query: `${name} = 'none'` })
    } catch (error) {
      if (!hasGrpcStatus(error, 'invalidArgument')) throw error
      unknown.push(name)
    }
  }
  return unknown
}

const isRefused = (error: unknown): error is GrpcError =>
  hasGrpcStatus(error, 'permissionDenied', 'unimplemented', 'unauthenticated')

/** How long the engine keeps what has ended. */
const retention = msNumberToTs(7 * dayMs)

/** Makes the namespace if there is none. Throws `RegistrationRefused` if that is not allowed. */
export async function registerNamespace({ workflowService }: Connection, namespace: string): Promise<void> {
  try {
    await workflowService.describeNamespace({ namespace }).catch((error: unknown) => {
      if (!hasGrpcStatus(error, 'notFound')) throw error
      return workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod: retention })
    })
  } catch (error) {
    if (hasGrpcStatus(error, 'alreadyExists')) return // two did it at once
    if (!isRefused(error)) throw error
    throw new RegistrationRefused(
      `The service does not let this process see or make the namespace ${namespace} (${error.details}). ` +
        'Check TEMPORAL_NAMESPACE and TEMPORAL_API_KEY, or make the namespace with the tools of the service.',
      { cause: error },
    )
  }
}

/** A connection to the service of TEMPORAL_ADDRESS. Throws a `SetupError` if none answers. */
export const openService = (access: TemporalAccess): Promise<Connection> =>
  openEngine(access).catch((error: Error) => {
    throw new SetupError(`No Temporal service answers at TEMPORAL_ADDRESS: ${error.message}`)
  })

/** Checks that a running service answers, and registers missing search attributes. If it cannot, reports that. */
export async function prepareService(
  access: TemporalAccess,
  namespace: string,
  report: Report,
  names = NAMES,
): Promise<void> {
  const connection = await openService(access)
  try {
    await registerSearchAttributes(connection, namespace, names)
  } catch (error) {
    report(`Temporal: the search attributes ${names.join(', ')} could not be looked up or registered as Keyword in`)
    report(`  the namespace ${namespace} (${(error as Error).message}); without them no process starts.`)
  } finally {
    await connection.close()
  }
}
