import { aboutConversion } from '../../domain/balance/process.ts'
import { aboutPayout } from '../../domain/payout/process.ts'
import type { About } from '../../domain/process-contract.ts'
import { aboutRefund } from '../../domain/refund-process.ts'
import { Conversion } from '../../db/balance/conversion.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { Payout } from '../../db/payout/payout.ts'
import { Refund } from '../../db/refund.ts'
import { Delivery } from '../../db/webhook/endpoint.ts'
import { Event } from '../../db/webhook/event.ts'
import { aboutDelivery } from '../../domain/webhook/process.ts'

/** The process that carries out an action on a resource, and how it is started if it is not running. */
export type ActionTarget =
  | { process: 'payout' | 'refund' | 'conversion'; resourceId: string; about: About }
  | { process: 'webhook-delivery'; resourceId: string; about: About; orderingKey: string }

/** For each kind of resource: its process. The resource exists. */
export const targetOf = {
  payout: async (em: EntityManager, id: string): Promise<ActionTarget> => {
    const about = aboutPayout(await em.findOneOrFail(Payout, { id }), 'operator')
    return { process: 'payout', resourceId: id, about }
  },
  refund: async (em: EntityManager, id: string): Promise<ActionTarget> => {
    const about = aboutRefund(await em.findOneOrFail(Refund, { id }))
    return { process: 'refund', resourceId: id, about }
  },
  conversion: async (em: EntityManager, id: string): Promise<ActionTarget> => {
    const about = aboutConversion(await em.findOneOrFail(Conversion, { id }))
    return { process: 'conversion', resourceId: id, about }
  },
  webhook_delivery: async (em: EntityManager, id: string): Promise<ActionTarget> => {
    const delivery = await em.findOneOrFail(Delivery, { id })
    const about = aboutDelivery(await em.findOneOrFail(Event, { id: delivery.eventId }), delivery)
    return { process: 'webhook-delivery', resourceId: id, about, orderingKey: delivery.endpointId }
  },
}
