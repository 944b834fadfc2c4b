import { createMerchant, type Merchant } from '../../test/support/merchant.ts'
import { SetupError, type Session } from '../infra/session.ts'
import type { Stack } from './stack.ts'
import { say } from './step.ts'

const path = '/api/v1/notifications/webhooks'

type Configuration = { webhook_url: string | null; has_secret: boolean; is_active: boolean }

/** A merchant with the sandbox key, whose calls come from this machine. */
export const merchantOf = (stack: Stack): Merchant => createMerchant(stack.base_url, stack.api_key)

/**
 * Refuses to go on where webhooks go to an address of yours with a secret: a secret can be replaced and never read, so
 * the demo could not put it back. With `replace` it goes on all the same.
 */
export async function readConfiguration(merchant: Merchant, replace: boolean): Promise<Configuration> {
  const { status, body, text } = await merchant.call('GET', `${path}/endpoint`)
  if (status !== 200) throw new SetupError(`the webhook configuration cannot be read: ${text}`)
  const found = body as unknown as Configuration
  if (found.is_active && found.has_secret && !replace) {
    throw new SetupError(`This sandbox already sends signed webhooks to ${found.webhook_url}.
The demo needs the one webhook address for a minute, with a secret of its own. It can put your address back, but not
your secret, which no call shows. If that is fine, and you can set your secret again afterwards:

  npm run demo -- --replace-webhook`)
  }
  return found
}

/** Sends the sandbox's webhooks to `url`, and at the end of the demo where they went before. */
export async function useWebhook(
  session: Session,
  merchant: Merchant,
  before: Configuration,
  url: string,
  secret: string,
) {
  session.atEnd(async () => {
    const { status, text } = await merchant.call('PUT', `${path}/configuration`, { webhook_url: before.webhook_url })
    if (status !== 200) return say(`The webhook address could not be put back: ${text}`)
    say(`Webhooks ${before.webhook_url ? `go to ${before.webhook_url} again` : 'are switched off again'}.`)
    if (before.has_secret) say('Their secret is now the demo’s: set your own again before you rely on signatures.')
    else say('The demo’s secret stays behind, as a secret can be replaced but not removed.')
  })
  await merchant.setWebhook(url, secret)
}
