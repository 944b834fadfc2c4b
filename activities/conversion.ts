import { log } from '@temporalio/activity'
import { Conversion } from '../db/balance/conversion.ts'
import { actsAs, type EntityManager, inTransaction, lock } from '../db/core/database.ts'
import { endConversion } from '../commands/open-conversion.ts'
import { recordEvent } from '../db/core/record-event.ts'
import { timeOf } from '../db/core/test-clock.ts'
import type { Environment } from '../domain/access/scope.ts'
import { noteOrdered } from '../domain/rail-polls.ts'
import { type ConversionEnd, isConversionEnded, moveConversion, soldAmountOf } from '../domain/balance/conversion.ts'
import { conversionCompleted, conversionFailed } from '../schemas/balance/conversion-event.ts'
import type { Deps } from './deps.ts'
import { carryOutOnOrder, type OrderAfterAction, type RailOrders } from './rail-order-action.ts'
import { noteUndecided } from './undecided.ts'
import type { Rails } from '../rails/index.ts'
import type { ConversionAnswer, ConversionOrder } from '../rails/rail.ts'
import { callRail, RailRefusal } from '../rails/rail-refusal.ts'

/** The steps of the `conversion` process. Each is safe to repeat: a conversion that has ended stays as it is. */
export const conversionActivities = ({ database, rails }: Deps) => {
  const orders: RailOrders<Conversion, ConversionEnd> = {
    entity: Conversion,
    resourceIdOf: ({ conversionId }) => conversionId,
    isEnd: isConversionEnded,
    ends: { mark_settled: 'completed', mark_failed: 'failed' },
    async lookUp(id) {
      const { environment } = await database.orm.em.fork().findOneOrFail(Conversion, { id })
      return callRail(() => rails.in(environment).conversions.lookUpConversion(id))
    },
    close: closeAt,
  }

  return {
    /**
     * Sends the order to the rail. Only a `RailRefusal` fails the conversion; after any other error the rail is asked
     * again. `askAgainAt` is when the process asks again if the rail does not decide now.
     */
    submitConversion: async (id: string, at: number, askAgainAt?: number): Promise<ConversionAnswer | 'on_hold'> => {
      const order = await inTransaction(database, (em) => prepareOrder(em, id, at))
      if (typeof order === 'string') return order
      const answer = await callRail(() => convert(rails, order)).catch((error: unknown) => {
        if (error instanceof RailRefusal) return 'failed' as const
        throw error
      })
      return noteUndecided(database, orders, { id, askAgainAt }, answer)
    },

    /** Asks the rail for the state of the conversion. */
    lookUpConversion: async (id: string, askAgainAt?: number): Promise<ConversionAnswer> => {
      const environment = await inTransaction(database, async (em) => {
        const conversion = await lock(em, Conversion, id)
        if (!isConversionEnded(conversion.status)) conversion.pollCount += 1
        return conversion.environment
      })
      const answer = await callRail(() => rails.in(environment).conversions.lookUpConversion(id))
      return noteUndecided(database, orders, { id, askAgainAt }, answer)
    },

    /** Records the end of the conversion, posts or releases the money reserved for it, and records the event. */
    closeConversion: (id: string, end: ConversionEnd, asked: number): Promise<ConversionEnd> =>
      inTransaction(database, async (em) => {
        const conversion = await lock(em, Conversion, id)
        const at = await timeOf(em, conversion, asked)
        if (isConversionEnded(conversion.status)) {
          if (conversion.status !== end)
            log.warn('the provider reports a different outcome of this conversion than our books')
          return conversion.status
        }
        actsAs(em, 'rail')
        await closeAt(em, conversion, end, at)
        return end
      }),

    /** Carries out what staff have ordered about the conversion. */
    carryOutOnConversion: (actionId: string, at: number, own?: string): Promise<OrderAfterAction<ConversionEnd>> =>
      carryOutOnOrder(database, orders, actionId, at, own),
  }
}

const convert = <E extends Environment>(rails: Rails, order: ConversionOrder<E>): Promise<ConversionAnswer> =>
  rails.in(order.environment).conversions.convert(order)

async function closeAt(em: EntityManager, conversion: Conversion, end: ConversionEnd, at: number): Promise<void> {
  await endConversion(em, conversion, end, at)
  const when = new Date(at)
  const data = end === 'completed' ? conversionCompleted(conversion, when) : conversionFailed(conversion, when)
  await recordEvent(em, conversion, { type: `conversion.${end}`, resourceId: conversion.id, data }, at)
}

/**
 * The order for the rail, after the conversion was marked as possibly sent; or its end, where it has already ended; or
 * that staff hold it.
 */
async function prepareOrder(
  em: EntityManager,
  id: string,
  asked: number,
): Promise<ConversionOrder | ConversionEnd | 'on_hold'> {
  const conversion = await lock(em, Conversion, id)
  if (isConversionEnded(conversion.status)) return conversion.status
  if (conversion.onHoldSince) return 'on_hold'
  const at = await timeOf(em, conversion, asked)
  if (conversion.status === 'pending') {
    moveConversion(conversion, 'processing')
    conversion.updatedAt = new Date(at)
  }
  noteOrdered(conversion, at)
  return {
    environment: conversion.environment,
    conversionId: id,
    sold: { amount: soldAmountOf(conversion), currency: conversion.fromCurrency },
    bought: { amount: conversion.toAmount, currency: conversion.toCurrency },
    reference: conversion.reference,
    simulatedOutcome: conversion.simulatedOutcome,
  }
}

/** The types of the activities, for the process that calls them. */
export type ConversionActivities = ReturnType<typeof conversionActivities>
