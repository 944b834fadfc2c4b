import Type, { type Static } from 'typebox'
import type { WebhookEndpoint as EndpointRow } from '../../db/webhook/endpoint.ts'
import { eventTypes } from '../../domain/webhook/event.ts'
import { accountScopes } from '../../domain/webhook/endpoint.ts'
import { id, iso, isoOrNull, Metadata, nullable, Timestamp, WebhookAddress } from '../common.ts'

const count = Type.Integer({ minimum: 0 })

const DeliveryCounts = Type.Object(
  { pending: count, succeeded: count, failed: count, skipped: count },
  { description: 'The deliveries of the last 24 hours, by status.' },
)

export const WebhookEndpoint = Type.Object(
  {
    endpoint_id: id('we'),
    url: nullable(Type.String({ description: 'Null only for the single-URL configuration while it is switched off.' })),
    description: nullable(Type.String()),
    events: Type.Array(Type.String(), { description: 'Event types, or `*` alone for all of them.' }),
    account_scope: Type.Enum([...accountScopes], {
      description: 'Whose events it receives: your own, those of connected accounts, or both.',
    }),
    is_configuration: Type.Boolean({ description: 'Whether it is the one that the single-URL configuration sets.' }),
    has_secret: Type.Boolean(),
    enabled: Type.Boolean(),
    disabled_at: nullable(Timestamp),
    disabled_reason: nullable(Type.Enum(['consecutive_failures'])),
    failing_since: nullable(Timestamp),
    warned_at: nullable(Timestamp),
    missed_since: nullable(Timestamp),
    stats_24h: DeliveryCounts,
    metadata: Metadata,
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { $id: 'WebhookEndpoint' },
)

/** The answer to the creation of an endpoint. */
export const CreatedWebhookEndpoint = Type.Object(
  {
    ...WebhookEndpoint.properties,
    secret: Type.String({ description: 'Signs its deliveries. No other answer about the endpoint shows it.' }),
  },
  { $id: 'CreatedWebhookEndpoint' },
)

/** An endpoint without a delivery yet. */
export const presentEndpoint = (row: EndpointRow): Static<typeof WebhookEndpoint> => ({
  endpoint_id: row.id,
  url: row.url,
  description: row.description,
  events: row.events,
  account_scope: row.accountScope,
  is_configuration: row.isConfiguration,
  has_secret: row.encryptedSecret !== null,
  enabled: row.enabled,
  disabled_at: isoOrNull(row.disabledAt),
  disabled_reason: row.disabledReason,
  failing_since: isoOrNull(row.failingSince),
  warned_at: isoOrNull(row.warnedAt),
  missed_since: null,
  stats_24h: { pending: 0, succeeded: 0, failed: 0, skipped: 0 },
  metadata: row.metadata,
  created_at: iso(row.createdAt),
  updated_at: iso(row.updatedAt),
})

/** The signing secret that a merchant chooses (docs/contract/webhook.md, "Endpoints"). */
export const ChosenSecret = Type.String({ minLength: 8, maxLength: 64 })

/** An endpoint's settings. They have no defaults in the schema, as a change must not fill in fields left out. */
export const endpointSettings = {
  url: WebhookAddress,
  description: Type.Optional(nullable(Type.String({ maxLength: 500 }))),
  events: Type.Optional(
    Type.Array(Type.Enum(['*', ...eventTypes]), {
      minItems: 1,
      maxItems: 100,
      description: 'With `*`, the default, it receives every type, also types that are added later.',
    }),
  ),
  account_scope: Type.Optional(Type.Enum([...accountScopes], { description: 'Default `own`.' })),
  enabled: Type.Optional(Type.Boolean({ description: 'Default true.' })),
}

/** The secrets that sign an endpoint's deliveries at present. */
export const WebhookSecret = Type.Object(
  {
    endpoint_id: id('we'),
    secret: nullable(Type.String()),
    previous_secret: nullable(Type.String({ description: 'The former secret, while it signs too.' })),
    previous_secret_expires_at: nullable(Timestamp),
  },
  { $id: 'WebhookSecret' },
)
