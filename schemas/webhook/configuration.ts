import Type, { type Static } from 'typebox'
import type { WebhookEndpoint } from '../../db/webhook/endpoint.ts'
import { nullable } from '../common.ts'

const fields = {
  success: Type.Boolean(),
  webhook_url: nullable(Type.String()),
  has_secret: Type.Boolean(),
  is_active: Type.Boolean(),
}

export const WebhookConfiguration = Type.Object(fields, { $id: 'WebhookConfiguration' })

export const SavedWebhookConfiguration = Type.Object(
  { ...fields, message: Type.String() },
  { $id: 'SavedWebhookConfiguration' },
)

/** The single-URL configuration, without the secret. */
export const presentConfiguration = (row: WebhookEndpoint | null): Static<typeof WebhookConfiguration> => ({
  success: true,
  webhook_url: row?.url ?? null,
  has_secret: Boolean(row?.encryptedSecret),
  is_active: Boolean(row?.enabled && row.url),
})
