import { defaultPayloadConverter, type Headers, type Payload } from '@temporalio/common'
import { AsyncLocalStorage, proxySinks, type Sinks, workflowInfo } from '@temporalio/workflow'
import type { WorkflowInterceptorsFactory } from '@temporalio/workflow'

// Carries a trace through a process: from the call that starts it or sends it a message to the steps that it takes for
// that. It is loaded with every process and does nothing without the header of a trace that is recorded.
//
// The SDK's own interceptors for this wait a moment more before each step, so a history that was begun without them
// would not replay with them, nor the other way round (decision 0081). These wait for nothing.

/** What a process has done for a caller, as it is told to the worker. Times are in milliseconds since the epoch. */
export type ProcessSpan = {
  name: string
  traceId: string
  id: string
  parentId: string
  startedAt: number
  endedAt: number
  hasFailed: boolean
}

export interface TraceSinks extends Sinks {
  trace: { ended(span: ProcessSpan): void }
}

/** As the SDK's interceptors of clients and steps name it, which write and read it. */
const headerName = '_tracer-data'
const sampled = /^00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]?[13579bdf]$/

const { trace } = proxySinks<TraceSinks>()
/** The header for the steps of what runs. Made when the first trace arrives. */
let current: InstanceType<typeof AsyncLocalStorage<Payload>> | undefined
let begun = 0

function parentIn(headers: Headers): { traceId: string; parentId: string } | null {
  const payload = headers[headerName]
  if (!payload) return null
  const { traceparent = '' } = defaultPayloadConverter.fromPayload<{ traceparent?: string }>(payload)
  const [, traceId, parentId] = sampled.exec(traceparent) ?? []
  return traceId && parentId ? { traceId, parentId } : null
}

/** Runs `work` as a part of the trace in these headers, and returns its own promise. */
function within<T>(headers: Headers, name: string, startedAt: Date | null, work: () => Promise<T>): Promise<T> {
  const parent = parentIn(headers)
  if (!parent) return work()
  begun += 1
  const id = idOf(`${workflowInfo().runId}/${begun}`)
  const from = startedAt?.getTime() ?? workflowInfo().unsafe.now()
  current ??= new AsyncLocalStorage<Payload>()
  const traceparent = `00-${parent.traceId}-${id}-01`
  const done = current.run(defaultPayloadConverter.toPayload({ traceparent }), work)
  const tell = (hasFailed: boolean) =>
    trace.ended({ name, id, ...parent, startedAt: from, endedAt: workflowInfo().unsafe.now(), hasFailed })
  done.then(
    () => tell(false),
    () => tell(true),
  )
  return done
}

/** Eight bytes in hex, the same at each replay: FNV-1a of the text, from two beginnings. */
function idOf(text: string): string {
  const hashed = (from: number) => {
    let hash = from
    for (let n = 0; n < text.length; n++) hash = Math.imul(hash ^ text.charCodeAt(n), 0x01000193)
    return (hash >>> 0).toString(16).padStart(8, '0')
  }
  return hashed(0x811c9dc5) + hashed(0x1b873593)
}

/** The input of a step, with the header of the trace for which it is taken. */
function traced<Input extends { headers: Headers }>(input: Input): Input {
  const header = current?.getStore()
  return header ? { ...input, headers: { ...input.headers, [headerName]: header } } : input
}

export const interceptors: WorkflowInterceptorsFactory = () => ({
  inbound: [
    {
      execute: (input, next) => {
        const { workflowType, startTime } = workflowInfo()
        return within(input.headers, `process ${workflowType}`, startTime, () => next(input))
      },
      handleUpdate: (input, next) => within(input.headers, `update ${input.name}`, null, () => next(input)),
      handleSignal: (input, next) => within(input.headers, `signal ${input.signalName}`, null, () => next(input)),
    },
  ],
  outbound: [
    {
      scheduleActivity: (input, next) => next(traced(input)),
      scheduleLocalActivity: (input, next) => next(traced(input)),
    },
  ],
})
