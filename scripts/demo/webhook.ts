import { createMerchant, type Merchant } from '../../test/support/merchant.ts'
import { SetupError, type Session } from '../infra/session.ts'
import type { Stack } from './stack.ts'
import { say } from './step.ts'

const path = '/api/v1/notifications/webhooks'
const endpointsPath = '/v1/webhooks/endpoints'

/** `secret` is null where none has been set yet. */
type Configuration = { webhook_url: string | null; is_active: boolean; secret: string | null }

/** A merchant with the sandbox key, whose calls come from this machine. */
export const merchantOf = (stack: Stack): Merchant => createMerchant(stack.base_url, stack.api_key)

/** The webhook configuration with its secret, with which the demo verifies: so that the secret can stay as it is. */
export async function readConfiguration(merchant: Merchant): Promise<Configuration> {
  const { status, body, text } = await merchant.call('GET', `${path}/endpoint`)
  if (status !== 200) throw new SetupError(`the webhook configuration cannot be read: ${text}`)
  const { webhook_url, is_active, has_secret } = body as unknown as Configuration & { has_secret: boolean }
  return { webhook_url, is_active, secret: has_secret ? await readSecret(merchant) : null }
}

async function readSecret(merchant: Merchant): Promise<string> {
  const { status, body, text } = await merchant.call('GET', `${await endpointOf(merchant)}/secret`)
  if (status !== 200) throw new SetupError(`the secret of the webhook configuration cannot be read: ${text}`)
  return String(body['secret'])
}

/** The path of the endpoint that the configuration is. */
async function endpointOf(merchant: Merchant): Promise<string> {
  const { body } = await merchant.call('GET', endpointsPath)
  const endpoints = body['items'] as unknown as { endpoint_id: string; is_configuration: boolean }[]
  return `${endpointsPath}/${endpoints.find((each) => each.is_configuration)?.endpoint_id}`
}

/** Switches the configured address off, as it was off before the demo: setting it has switched it on. */
async function switchOff(merchant: Merchant): Promise<void> {
  const { status, text } = await merchant.call('PATCH', await endpointOf(merchant), { enabled: false })
  if (status !== 200) throw new Error(`the webhook address is on, and was off before: ${text}`)
}

/**
 * Sends the sandbox's webhooks to `url`. At the end of the demo it restores the previous address, on or off. `secret`
 * is the one of `before`, which is never replaced; where there is none it is a new one.
 */
export async function useWebhook(
  session: Pick<Session, 'atEnd'>,
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
    if (!before.secret) say('The demo’s secret stays, because a secret can be replaced but not removed.')
  })
  await merchant.setWebhook(url, secret)
}
