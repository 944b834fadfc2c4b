import type { WorkflowClientInterceptor } from '@temporalio/client'
import type { ActivityInterceptorsFactory, InjectedSinks } from '@temporalio/worker'
import type { Database } from '../../db/core/database.ts'
import type { WebhookHttp } from '../../activities/webhook/http.ts'
import type { NoteRailCall } from '../../rails/line.ts'
import type { TraceSinks } from '../../workflows/trace.ts'
import type { Engine } from '../engine.ts'
import type { FirstAttempt } from '../first-attempts.ts'

/** A call as the API's framework gives it. */
export type TracedCall = { method: string; status: number; get(header: string): string }

export type TraceCall = (ctx: TracedCall, route: () => string, next: () => Promise<unknown>) => Promise<void>

/** What traces a process. Every part that is not for one kind of process is the same in both. */
export type Tracing = {
  /** Makes a span of a call, which goes on with the caller's trace. `route` is asked for when it was answered. */
  call: TraceCall | null
  /** The trace that is being recorded, as W3C's `traceparent`; undefined where none is. */
  traceparent(): string | undefined
  /** Names the trace in each line of the log; undefined where nothing is traced. */
  logFields: (() => { traceId?: string }) | undefined
  /** For the clients of the engine, and the steps and processes of its workers. */
  clientInterceptors: WorkflowClientInterceptor[]
  activityInterceptors: ActivityInterceptorsFactory[]
  sinks: InjectedSinks<TraceSinks>
  /** Lets what a database commits carry the trace on, and makes spans of its statements. */
  database(database: Database): Promise<void>
  engine<E extends Engine>(engine: E): E
  webhookHttp(http: WebhookHttp): WebhookHttp
  firstAttempt(attempt: FirstAttempt): FirstAttempt
  railCalls(note: NoteRailCall): NoteRailCall
  /** Sends what is left, for some seconds at most. */
  close(): Promise<void>
}

/** Traces nothing: every part stays as it is. */
export const untraced: Tracing = {
  call: null,
  traceparent: () => undefined,
  logFields: undefined,
  clientInterceptors: [],
  activityInterceptors: [],
  // A process may have begun under a worker that traces.
  sinks: { trace: { ended: { fn: () => undefined, callDuringReplay: false } } },
  database: async () => undefined,
  engine: (engine) => engine,
  webhookHttp: (http) => http,
  firstAttempt: (attempt) => attempt,
  railCalls: (note) => note,
  close: async () => undefined,
}
