import { context, propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, TraceFlags } from '@opentelemetry/api'
import type { Context, Span, SpanContext } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { suppressTracing, W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { Resource } from '@opentelemetry/resources'
import { BasicTracerProvider, BatchSpanProcessor, ParentBasedSampler } from '@opentelemetry/sdk-trace-base'
import { SamplingDecision, TraceIdRatioBasedSampler, type Sampler } from '@opentelemetry/sdk-trace-base'
import { OpenTelemetryWorkflowClientInterceptor } from '@temporalio/interceptors-opentelemetry/lib/client/index.js'
import { OpenTelemetryActivityInboundInterceptor } from '@temporalio/interceptors-opentelemetry/lib/worker/index.js'
import type { Config } from '../config.ts'
import { exportCleaned } from './clean-spans.ts'
import { processSpan } from './process-span.ts'
import { traceSql } from './trace-sql.ts'
import type { Tracing } from './traced.ts'

const exportWithinMs = 5_000
const headerName = 'traceparent'

/** Makes spans of what a process does for calls, and sends them by OTLP. Only calls begin traces. */
export function createTracing(
  { url, headers, ratio }: NonNullable<Config['tracing']>,
  name: 'api' | 'worker',
): Tracing {
  const sampled = new TraceIdRatioBasedSampler(ratio)
  const exporter = new OTLPTraceExporter({ url: `${url}/v1/traces`, headers, timeoutMillis: exportWithinMs })
  const resource = new Resource({ 'service.name': `steadypay-${name}` })
  const processor = new BatchSpanProcessor(exportCleaned(exporter), { exportTimeoutMillis: exportWithinMs })
  const provider = new BasicTracerProvider({
    resource,
    sampler: new ParentBasedSampler({ root: onlyCalls(sampled) }),
    spanProcessors: [processor],
  })
  const propagator = new W3CTraceContextPropagator()
  provider.register({ contextManager: new AsyncLocalStorageContextManager(), propagator })
  const tracer = provider.getTracer('steadypay')

  /** A caller's trace goes on here. Whether it is recorded is decided here too: a caller could ask for all of them. */
  function contextOf(sent: string): Context {
    const extracted = propagation.extract(ROOT_CONTEXT, { [headerName]: sent })
    const parent = trace.getSpanContext(extracted)
    if (!parent) return ROOT_CONTEXT
    const { decision } = sampled.shouldSample(ROOT_CONTEXT, parent.traceId)
    const isRecorded = decision === SamplingDecision.RECORD_AND_SAMPLED
    return trace.setSpanContext(ROOT_CONTEXT, fromOutside(parent, isRecorded))
  }

  /** Does something for the trace that an outbox row carries; without one nothing of it is recorded. */
  function within<T>(carried: string | undefined, work: () => T): T {
    const around = carried ? propagation.extract(ROOT_CONTEXT, { [headerName]: carried }) : null
    return context.with(around ?? suppressTracing(ROOT_CONTEXT), work)
  }

  return {
    traceparent,
    logFields,

    async call(ctx, route, next) {
      const around = contextOf(ctx.get(headerName))
      const span = tracer.startSpan(ctx.method, { kind: SpanKind.SERVER }, around)
      try {
        await context.with(trace.setSpan(around, span), next)
      } finally {
        const about = {
          'http.request.method': ctx.method,
          'http.route': route(),
          'http.response.status_code': ctx.status,
        }
        span.updateName(`${ctx.method} ${route()}`).setAttributes(about)
        if (ctx.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
        span.end()
      }
    },

    clientInterceptors: [new OpenTelemetryWorkflowClientInterceptor({ tracer })],
    activityInterceptors: [(ctx) => ({ inbound: new OpenTelemetryActivityInboundInterceptor(ctx, { tracer }) })],
    sinks: {
      trace: {
        ended: {
          fn: ({ workflowId }, told) => processor.onEnd(processSpan(told, workflowId, resource)),
          callDuringReplay: false,
        },
      },
    },

    async database(database) {
      database.traceparent = traceparent
      await traceSql(database, tracer)
    },

    engine: (engine) => ({
      ...engine,
      dispatch: (sent) => within(sent.about.trace, () => engine.dispatch(sent)),
    }),

    webhookHttp: (http) => ({
      ...http,
      send: (request) =>
        tracer.startActiveSpan('send webhook', { kind: SpanKind.CLIENT }, (span) =>
          ending(span, async () => {
            const attempt = await http.send(request)
            span.setAttribute('steadypay.outcome', attempt.error ?? 'delivered')
            if (attempt.responseStatus !== null) span.setAttribute('http.response.status_code', attempt.responseStatus)
            if (attempt.error !== null) span.setStatus({ code: SpanStatusCode.ERROR })
            return attempt
          }),
        ),
    }),

    firstAttempt: (attempt) => (deliveryId, carried) =>
      within(carried, () =>
        tracer.startActiveSpan('first attempt of a delivery', (span) => ending(span, () => attempt(deliveryId))),
      ),

    railCalls: (note) => (call) => {
      note(call)
      const { provider: of, status, ms } = call
      const attributes = { 'steadypay.provider': of, 'steadypay.outcome': String(status) }
      const startTime = performance.timeOrigin + performance.now() - ms
      tracer.startSpan(`${of} ${call.call}`, { kind: SpanKind.CLIENT, startTime, attributes }).end()
    },

    async close() {
      await provider.shutdown().catch(() => undefined) // who receives traces may be unavailable
      context.disable()
    },
  }
}

/** Only calls begin traces: what the service does by itself, such as sweeping the outbox, would only be noise. */
const onlyCalls = (calls: Sampler): Sampler => ({
  shouldSample: (around, traceId, name, kind, attributes, links) =>
    kind === SpanKind.SERVER
      ? calls.shouldSample(around, traceId, name, kind, attributes, links)
      : { decision: SamplingDecision.NOT_RECORD },
  toString: () => 'only calls',
})

const fromOutside = ({ traceId, spanId }: SpanContext, isRecorded: boolean): SpanContext => ({
  traceId,
  spanId,
  isRemote: true,
  traceFlags: isRecorded ? TraceFlags.SAMPLED : TraceFlags.NONE,
})

function traceparent(): string | undefined {
  const span = trace.getActiveSpan()
  if (!span?.isRecording()) return undefined
  const { traceId, spanId } = span.spanContext()
  return `00-${traceId}-${spanId}-01`
}

/** Also of a trace that is not recorded here: the caller's other services may record it. */
function logFields(): { traceId?: string } {
  const span = trace.getActiveSpan()
  return span ? { traceId: span.spanContext().traceId } : {}
}

/** Ends a span with what it is about. */
async function ending<T>(span: Span, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR })
    throw error
  } finally {
    span.end()
  }
}
