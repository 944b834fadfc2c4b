import { createMerchant, type Merchant } from '../../test/support/merchant.ts'
import { SetupError, type Session } from '../infra/session.ts'
import type { Stack } from './stack.ts'
import { say } from './step.ts'

const path = '/api/v1/notifications/webhooks'

type Configuration = { webhook_url: string | null; has_secret: boolean; is_active: boolean }

/** A merchant with the sandbox key, whose calls come from this machine. */
export const merchantOf = (stack: Stack): Merchant => createMerchant(stack.base_url, stack.api_key)

/**
 * Reads the webhook configuration. Throws if it has an address with a secret, unless `replace` is set: a secret cannot
 * be read, so the demo could not restore it.
 */
export async function readConfiguration(merchant: Merchant, replace: boolean): Promise<Configuration> {
  const { status, body, text } = await merchant.call('GET', `${path}/endpoint`)
  if (status !== 200) throw new SetupError(`the webhook configuration cannot be read: ${text}`)
  const found = body as unknown as Configuration
  if (found.webhook_url !== null && found.has_secret && !replace) {
    throw new SetupError(`This sandbox already has a secret for webhooks to ${found.webhook_url}.
The demo uses the webhook address for a minute, with its own secret. It restores your address afterwards, but not your
secret, because no call shows it. If you can set your secret again afterwards, run:

  npm run demo -- --replace-webhook`)
  }
  return found
}

/** Switches the configured address off, as it was off before the demo: setting it has switched it on. */
async function switchOff(merchant: Merchant): Promise<void> {
  const { body } = await merchant.call('GET', '/v1/webhooks/endpoints')
  const endpoints = body['items'] as unknown as { endpoint_id: string; is_configuration: boolean }[]
  const id = endpoints.find((each) => each.is_configuration)?.endpoint_id
  const { status, text } = await merchant.call('PATCH', `/v1/webhooks/endpoints/${id}`, { enabled: false })
  if (status !== 200) throw new Error(`the webhook address is on, and was off before: ${text}`)
}

/** Sends the sandbox's webhooks to `url`. At the end of the demo it restores the previous address, on or off. */
export async function useWebhook(
  session: Session,
  merchant: Merchant,
  before: Configuration,
  url: string,
  secret: string,
) {
  session.atEnd(async () => {
    const { status, text } = await merchant.call('PUT', `${path}/configuration`, { webhook_url: before.webhook_url })
    if (status !== 200) return say(`The webhook address could not be restored: ${text}`)
    if (before.webhook_url && !before.is_active) await switchOff(merchant)
    say(`Webhooks ${before.is_active ? `go to ${before.webhook_url} again` : 'are switched off again'}.`)
    if (before.has_secret) say('Their secret is still the demo’s: set your own again before you rely on signatures.')
    else say('The demo’s secret stays, because a secret can be replaced but not removed.')
  })
  await merchant.setWebhook(url, secret)
}
