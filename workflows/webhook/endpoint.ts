import { proxyActivities, setHandler } from '@temporalio/workflow'
import type { EndpointSnapshot, WebhookEndpointActivities } from '../../activities/webhook/endpoint.ts'
import { nextConsequenceAt } from '../../domain/webhook/endpoint.ts'
import { proxyLocalSteps } from '../local-steps.ts'
import { hasMailed } from '../mail-pause.ts'
import { ledgerPolicy, mailPolicy } from '../policies.ts'
import { showStatus } from '../search-attributes.ts'
import { followTestClock, keepTime } from '../test-clock.ts'
import { now, waitUntil } from '../wait-until.ts'
import { signalOf } from '../messages.ts'

const { readFailingRun } = proxyLocalSteps<WebhookEndpointActivities>(ledgerPolicy('Read the endpoint'))
const { disableEndpoint } = proxyLocalSteps<WebhookEndpointActivities>(ledgerPolicy('Disable the endpoint'))
const { mailFailingEndpoint } = proxyActivities<WebhookEndpointActivities>(
  mailPolicy('Mail the owners of the failing endpoint'),
)

const failed = signalOf('webhook-endpoint', 'failed')
const succeeded = signalOf('webhook-endpoint', 'succeeded')
const disabled = signalOf('webhook-endpoint', 'disabled')

/**
 * One run of failures without a success: a mail after 24 hours, and the endpoint is switched off after 72, unless a
 * delivery succeeds before.
 */
export async function webhookEndpoint(endpointId: string): Promise<string> {
  followTestClock()
  let changed = false
  for (const news of [failed, succeeded, disabled]) setHandler(news, () => void (changed = true))

  let run: EndpointSnapshot = await readFailingRun(endpointId)
  while (run) {
    keepTime(run.clockTime)
    const due = nextConsequenceAt(run)
    if (await waitUntil(due, { ...failing(run), unless: () => changed })) {
      changed = false
      run = await readFailingRun(endpointId)
    } else if (run.warnedAt === null) {
      run = await warned(endpointId, run)
      if (run && run.warnedAt) showStatus('warned', 'receiver')
    } else {
      const left = await disableEndpoint(endpointId, run, now())
      if (left === null) return end('disabled')
      run = left === 'ended' ? null : left
    }
  }
  return end(run === false ? 'switched_off' : 'healthy')
}

type Run = Exclude<EndpointSnapshot, null | false>

/** What operators read while every delivery fails. */
const failing = ({ warnedAt }: Run) => ({
  for: 'receiver' as const,
  helps: 'Nothing to do: its merchant has to repair the receiver.',
  next: warnedAt === null ? 'its owners are mailed' : 'the endpoint is switched off',
})

function end(status: string): string {
  showStatus(status, 'nobody')
  return status
}

/**
 * Mails the owners. While the mail server is unavailable, both the mail and the switching off are postponed: no
 * endpoint is switched off without a warning.
 */
async function warned(endpointId: string, before: EndpointSnapshot): Promise<EndpointSnapshot> {
  let run = before
  await hasMailed(async () => void (run = await mailFailingEndpoint(endpointId, now())), { unless: () => false })
  return run
}
