import { Connection } from '@temporalio/client'
import { msNumberToTs } from '@temporalio/common/lib/time.js'
import { SetupError } from './session.ts'
import type { Report } from './temporal-binary.ts'
import { dayMs } from '../../domain/duration.ts'

/** As temporal-dev.sh registers them; a service of TEMPORAL_ADDRESS may not have them yet. */
const NAMES = ['AccountId', 'Environment', 'Resource', 'State', 'WaitingOn']
const KEYWORD = 2 // temporal.api.enums.v1.IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD

/** Registers the search attributes that the namespace lacks. Throws if that is not allowed. */
export async function registerSearchAttributes(
  connection: Connection,
  namespace: string,
  names = NAMES,
): Promise<void> {
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace })
  const missing = names.filter((name) => customAttributes?.[name] === undefined)
  if (missing.length === 0) return
  const searchAttributes = Object.fromEntries(missing.map((name) => [name, KEYWORD]))
  await connection.operatorService.addSearchAttributes({ namespace, searchAttributes })
}

const NOT_FOUND = 5 // of gRPC
const ALREADY_EXISTS = 6
/** How long the engine keeps what has ended. */
const RETENTION_MS = 7 * dayMs

/** Makes the namespace if there is none. Throws if that is not allowed. */
export async function registerNamespace({ workflowService }: Connection, namespace: string): Promise<void> {
  const isCode = (error: unknown, code: number) => (error as { code?: number }).code === code
  try {
    await workflowService.describeNamespace({ namespace })
  } catch (error) {
    if (!isCode(error, NOT_FOUND)) throw error
    await workflowService
      .registerNamespace({ namespace, workflowExecutionRetentionPeriod: msNumberToTs(RETENTION_MS) })
      .catch((other: unknown) => {
        if (!isCode(other, ALREADY_EXISTS)) throw other // two did it at once
      })
  }
}

/** Checks that a running service answers, and registers missing search attributes. If it cannot, reports that. */
export async function prepareService(address: string, namespace: string, report: Report, names = NAMES): Promise<void> {
  const connection = await Connection.connect({ address, connectTimeout: 5_000 }).catch((error: Error) => {
    throw new SetupError(`No Temporal service answers at TEMPORAL_ADDRESS ${address}: ${error.message}`)
  })
  try {
    await registerSearchAttributes(connection, namespace, names)
  } catch (error) {
    report(`Temporal: the search attributes ${names.join(', ')} could not be looked up or registered as Keyword in`)
    report(`  the namespace ${namespace} (${(error as Error).message}); without them no process starts.`)
  } finally {
    await connection.close()
  }
}
