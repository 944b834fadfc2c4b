import { defineEntity, p } from '@mikro-orm/core'
import { subscriptionMails } from '../../domain/subscription/mail.ts'
import { moment, onClock, tenant } from '../core/columns.ts'

const schema = defineEntity({
  name: 'SubscriptionMail',
  tableName: 'subscription_mails',
  properties: {
    id: p.string().primary(),
    ...tenant,
    ...onClock,
    subscriptionId: p.string(),
    kind: p.enum(subscriptionMails),
    // The invoice that it is about; null where it is about the subscription itself.
    invoiceId: p.string().strictNullable(),
    createdAt: moment(),
    // When its server took it, or when it was given up: its server had refused it for days, or what it says was over.
    sentAt: moment().strictNullable(),
  },
  indexes: [
    { name: 'subscription_mails_on_clock', properties: ['clockId'], where: 'clock_id is not null' },
    { name: 'subscription_mails_to_send', properties: ['subscriptionId', 'createdAt'], where: 'sent_at is null' },
    { name: 'subscription_mails_by_subscription', properties: ['subscriptionId', 'createdAt', 'id'] },
  ],
})
/** A mail that a customer is to get. It is stored in the commit of what it tells, and its process sends it. */
export class SubscriptionMail extends schema.class {}
schema.setClass(SubscriptionMail)
