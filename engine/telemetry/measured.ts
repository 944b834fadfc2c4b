import type { WebhookDeliveryActivities } from '../../activities/webhook/delivery.ts'
import type { WebhookHttp } from '../../activities/webhook/http.ts'
import type { NoteRailCall } from '../../rails/line.ts'
import type { Engine } from '../engine.ts'
import type { Metrics } from './metrics.ts'

/** Counts what a worker does, around the parts that do it. Without metrics the parts stay as they are. */
export function measuredBy(metrics: Metrics | null) {
  const dispatches = metrics?.countDispatches()
  const webhooks = metrics?.countWebhooks()

  return {
    engine<E extends Engine>(engine: E): E {
      if (!dispatches) return engine
      const dispatch: Engine['dispatch'] = async (sent) => {
        const kind = sent.signal ? 'signal' : 'start'
        try {
          await engine.dispatch(sent)
          dispatches(sent.process, kind, 'done')
        } catch (error) {
          dispatches(sent.process, kind, 'failed')
          throw error
        }
      }
      return { ...engine, dispatch }
    },

    webhookHttp(http: WebhookHttp): WebhookHttp {
      if (!webhooks) return http
      const send: WebhookHttp['send'] = async (request) => {
        const attempt = await http.send(request)
        webhooks.attempt(attempt)
        return attempt
      }
      return { ...http, send }
    },

    webhookSteps<A extends Pick<WebhookDeliveryActivities, 'attemptDelivery'>>(steps: A): A {
      if (!webhooks) return steps
      const attemptDelivery: WebhookDeliveryActivities['attemptDelivery'] = async (...args) => {
        const snapshot = await steps.attemptDelivery(...args)
        webhooks.delivery(snapshot.status)
        return snapshot
      }
      return { ...steps, attemptDelivery }
    },
  }
}

/** Notes the calls of providers in the log, and counts them. */
export function noteRailCalls(note: NoteRailCall, metrics: Metrics | null): NoteRailCall {
  const count = metrics?.countRailCalls()
  if (!count) return note
  return (call) => {
    note(call)
    count(call)
  }
}
