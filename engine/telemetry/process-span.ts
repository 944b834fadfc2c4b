import { SpanKind, SpanStatusCode, TraceFlags } from '@opentelemetry/api'
import { millisToHrTime } from '@opentelemetry/core'
import type { IResource } from '@opentelemetry/resources'
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base'
import type { ProcessSpan } from '../../workflows/trace.ts'

/** The span of what a process has done, whose id the process has chosen: its steps, which ended before, name it. */
export function processSpan(told: ProcessSpan, workflowId: string, resource: IResource): ReadableSpan {
  const { name, traceId, id, parentId, startedAt, endedAt, hasFailed } = told
  return {
    name,
    kind: SpanKind.INTERNAL,
    spanContext: () => ({ traceId, spanId: id, traceFlags: TraceFlags.SAMPLED }),
    parentSpanId: parentId,
    startTime: millisToHrTime(startedAt),
    endTime: millisToHrTime(Math.max(startedAt, endedAt)),
    duration: millisToHrTime(Math.max(0, endedAt - startedAt)),
    ended: true,
    status: { code: hasFailed ? SpanStatusCode.ERROR : SpanStatusCode.OK },
    attributes: { temporalWorkflowId: workflowId },
    links: [],
    events: [],
    resource,
    instrumentationLibrary: { name: 'steadypay' },
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  }
}
