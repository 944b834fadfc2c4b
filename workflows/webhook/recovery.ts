import { continueAsNew } from '@temporalio/workflow'
import type { WebhookRecoveryActivities } from '../../activities/webhook/recovery.ts'
import { proxyLocalSteps } from '../local-steps.ts'
import { ledgerPolicy } from '../policies.ts'
import { now, waitUntil } from '../wait-until.ts'

const { recoverNext } = proxyLocalSteps<WebhookRecoveryActivities>(ledgerPolicy('Send the next missed events'))

const pauseMs = 1_000
const stepsMax = 500

/** Sends again the events that an endpoint has missed, some at a time, so that current deliveries are not delayed. */
export async function webhookRecovery(recoveryId: string): Promise<string> {
  for (let step = 0; step < stepsMax; step++) {
    if (await recoverNext(recoveryId, now())) return 'completed'
    await waitUntil(now() + pauseMs, { for: 'deliveries', unless: () => false })
  }
  return continueAsNew<typeof webhookRecovery>(recoveryId)
}
