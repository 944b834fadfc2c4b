import { defineEntity, p } from '@mikro-orm/core'
import { dayMs } from '../../domain/duration.ts'
import { type DeliveryStatus, deliveryStatuses, deliveryTriggers } from '../../domain/webhook/delivery.ts'
import { accountScopes } from '../../domain/webhook/endpoint.ts'
import type { PlannedAnswer } from '../../domain/webhook/simulated-receiver.ts'
import type { EventType } from '../../domain/webhook/event.ts'
import { holdable, moment, onClock, tenant } from '../core/columns.ts'
import type { EntityManager } from '../core/database.ts'

const endpointSchema = defineEntity({
  name: 'WebhookEndpoint',
  tableName: 'webhook_endpoints',
  properties: {
    id: p.string().primary(),
    ...tenant,
    ...onClock,
    // Null while the single-URL configuration is switched off.
    url: p.string().length(2048).strictNullable(),
    description: p.string().length(500).strictNullable(),
    // Event types, or `*` for all of them, future types included.
    events: p.array(),
    accountScope: p.enum(accountScopes).default('own'),
    encryptedSecret: p.text().strictNullable().fieldName('sealed_secret'),
    // The previous secret, which also signs until its grace period is over.
    previousEncryptedSecret: p.text().strictNullable().fieldName('previous_sealed_secret'),
    previousSecretUntil: moment().strictNullable(),
    // The one endpoint that the single-URL configuration reads and writes.
    isConfiguration: p.boolean().default(false),
    enabled: p.boolean().default(true),
    disabledAt: moment().strictNullable(),
    disabledReason: p.enum(['consecutive_failures']).strictNullable(),
    // Since when every attempt has failed, and when its owner was mailed about that; any success clears both.
    failingSince: moment().strictNullable(),
    warnedAt: moment().strictNullable(),
    // What the receiver of a scenario answers next, which the sandbox runs itself. Null: events are sent to the URL.
    simulatedAnswers: p.json<PlannedAnswer[]>().strictNullable(),
    metadata: p.json<Record<string, string>>().defaultRaw("'{}'").check("jsonb_typeof(metadata) = 'object'"),
    createdAt: moment(),
    updatedAt: moment(),
  },
  checks: [
    {
      name: 'webhook_endpoints_are_simulated_in_the_sandbox',
      expression: "simulated_answers is null or environment = 'sandbox'",
    },
  ],
  indexes: [
    { name: 'webhook_endpoints_on_clock', properties: ['clockId'], where: 'clock_id is not null' },
    {
      name: 'webhook_endpoints_newest',
      properties: ['accountId', 'environment', 'createdAt', 'id'],
      where: 'simulated_answers is null',
    },
    {
      name: 'webhook_endpoints_failing',
      properties: ['failingSince'],
      where: 'enabled and failing_since is not null',
    },
    {
      name: 'webhook_endpoints_replaced_secrets',
      properties: ['previousSecretUntil'],
      where: 'previous_sealed_secret is not null',
    },
  ],
  uniques: [
    { name: 'webhook_endpoints_configuration', properties: ['accountId', 'environment'], where: 'is_configuration' },
  ],
})
/** The address to which a merchant's events are sent; its secret is stored encrypted. */
export class WebhookEndpoint extends endpointSchema.class {}
endpointSchema.setClass(WebhookEndpoint)

/** The values of a new endpoint. */
export const newEndpoint = {
  description: null,
  events: ['*'],
  encryptedSecret: null,
  previousEncryptedSecret: null,
  previousSecretUntil: null,
  disabledAt: null,
  disabledReason: null,
  failingSince: null,
  warnedAt: null,
  simulatedAnswers: null,
}

const deliverySchema = defineEntity({
  name: 'Delivery',
  tableName: 'deliveries',
  properties: {
    id: p.string().primary(),
    ...tenant,
    ...onClock,
    eventId: p.string().index('deliveries_by_event'),
    eventType: p.string().$type<EventType>().length(64),
    endpointId: p.string(),
    status: p.enum(deliveryStatuses).default('pending'),
    trigger: p.enum(deliveryTriggers).default('automatic'),
    attemptsMax: p.smallint().default(5).check('attempts_max >= 1 and attempts_max <= 5'),
    attemptCount: p.smallint().default(0).check('attempt_count >= 0 and attempt_count <= 5'),
    nextAttemptAt: moment().strictNullable(),
    createdAt: moment(),
    completedAt: moment().strictNullable(),
    ...holdable,
  },
  indexes: [
    { name: 'deliveries_on_hold', properties: ['accountId', 'environment', 'id'], where: 'on_hold_since is not null' },
    { name: 'deliveries_on_clock', properties: ['clockId'], where: 'clock_id is not null' },
    { name: 'deliveries_by_endpoint', properties: ['endpointId', 'createdAt', 'id'] },
    { name: 'deliveries_by_type', properties: ['endpointId', 'eventType', 'createdAt', 'id'] },
    // Failed deliveries, few among many, for which a merchant searches before sending them again.
    {
      name: 'deliveries_unheard',
      properties: ['endpointId', 'status', 'createdAt', 'id'],
      where: "status in ('failed', 'skipped')",
    },
    {
      name: 'deliveries_waiting',
      properties: ['accountId', 'environment', 'nextAttemptAt', 'id'],
      where: "status = 'pending'",
    },
    { name: 'deliveries_pending', properties: ['createdAt'], where: "status = 'pending'" },
    { name: 'deliveries_ended', properties: ['createdAt'], where: "status <> 'pending'" },
    { name: 'deliveries_pending_by_endpoint', properties: ['endpointId'], where: "status = 'pending'" },
  ],
})
/** One event on its way to one endpoint. */
export class Delivery extends deliverySchema.class {}
deliverySchema.setClass(Delivery)

/**
 * Each part reads an index that has all its columns. The succeeded ones, which are nearly all, are what is left of all:
 * no index has their status, so that their rows would have to be read. Of an endpoint with many the hours are counted
 * (`counted-hours.ts`): only those before the first and after the last of these hours are read.
 */
const countByStatusSql = `
  with others as (
    select endpoint_id, status, count(*) from deliveries
    where endpoint_id in (?) and status in ('failed', 'skipped') and created_at > ? and created_at <= ? group by 1, 2
    union all select endpoint_id, status, count(*) from deliveries
    where endpoint_id in (?) and status = 'pending' and created_at > ? and created_at <= ? group by 1, 2
  ), asked as (
    select e.id, a.since, a.until, case when l.counted_until > a.first then a.first end as first,
      least(l.counted_until, date_trunc('hour', a.until, 'UTC')) as last
    from webhook_endpoints e
    cross join (select since, until, date_trunc('hour', since, 'UTC') + interval '1 hour' as first
      from (select ?::timestamptz as since, ?::timestamptz as until) s) a
    left join counted_lists l on l.account_id = e.account_id and l.environment = e.environment
      and l.table_name = 'deliveries' and l.facet = e.id
    where e.id in (?)
  ), every as (
    select a.id,
      (select count(*) from deliveries d where d.endpoint_id = a.id and d.created_at > a.since
        and d.created_at <= a.until and d.created_at < coalesce(a.first, 'infinity'))
      + (select count(*) from deliveries d where d.endpoint_id = a.id and a.first is not null
        and d.created_at >= a.last and d.created_at <= a.until)
      + (select coalesce(sum(h.count), 0) from webhook_endpoints e join counted_hours h on h.account_id = e.account_id
          and h.environment = e.environment and h.table_name = 'deliveries' and h.facet = e.id
        where e.id = a.id and h.hour >= a.first and h.hour < a.last) as count
    from asked a
  ), succeeded as (
    select e.id, 'succeeded',
      e.count - coalesce((select sum(count) from others o where o.endpoint_id = e.id), 0) as count
    from every e
  )
  select endpoint_id as "endpointId", status, count from others
  union all select * from succeeded where count > 0`

/**
 * The number of deliveries of each endpoint by status, of those made in the last 24 hours. Statuses without deliveries
 * are left out. Deliveries that were made on a test clock may be later than `at`, which is in ms since the epoch.
 */
export async function countDeliveries(em: EntityManager, endpointIds: string[], at: number) {
  if (endpointIds.length === 0) return []
  const [since, until] = [new Date(at - dayMs), new Date(at)]
  const rows = await em.execute<{ endpointId: string; status: DeliveryStatus; count: string }[]>(countByStatusSql, [
    endpointIds,
    since,
    until,
    endpointIds,
    since,
    until,
    since,
    until,
    endpointIds,
  ])
  return rows.map((row) => ({ ...row, count: Number(row.count) }))
}

const attemptSchema = defineEntity({
  name: 'DeliveryAttempt',
  tableName: 'delivery_attempts',
  properties: {
    deliveryId: p.string().primary(),
    number: p.smallint().primary(),
    at: moment(),
    responseStatus: p.smallint().strictNullable(),
    responseBody: p.text().strictNullable(),
    durationMs: p.integer(),
    error: p.string().length(64).strictNullable(),
  },
})
/** One attempt of a delivery and the receiver's response; the body is cut to its first 2 KB. */
export class DeliveryAttempt extends attemptSchema.class {}
attemptSchema.setClass(DeliveryAttempt)

const recoverySchema = defineEntity({
  name: 'WebhookRecovery',
  tableName: 'webhook_recoveries',
  properties: {
    id: p.string().primary(),
    ...tenant,
    endpointId: p.string(),
    since: moment(),
    until: moment(),
    // How far the recovery has come: all events up to this one were checked. Null before the first.
    positionAt: moment().strictNullable(),
    positionId: p.string().strictNullable(),
    sentCount: p.integer().default(0),
    createdAt: moment(),
    completedAt: moment().strictNullable(),
  },
  indexes: [
    { name: 'webhook_recoveries_open', properties: ['createdAt'], where: 'completed_at is null' },
    { name: 'webhook_recoveries_ended', properties: ['completedAt'], where: 'completed_at is not null' },
  ],
})
/** A merchant's order to send again what an endpoint has missed in a span of time; a process carries it out. */
export class WebhookRecovery extends recoverySchema.class {}
recoverySchema.setClass(WebhookRecovery)
