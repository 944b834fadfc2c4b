import { Conversion } from '../db/balance/conversion.ts'
import { actsAs, type EntityManager, inTransaction, lock } from '../db/core/database.ts'
import { endConversion } from '../commands/open-conversion.ts'
import { recordEvent } from '../db/core/record-event.ts'
import { timeOf } from '../db/core/test-clock.ts'
import type { Environment } from '../domain/access/scope.ts'
import { noteOrdered } from '../domain/rail-polls.ts'
import { type ConversionEnd, isEnded, moveConversion, soldAmountOf } from '../domain/balance/conversion.ts'
import { conversionCompleted, conversionFailed } from '../schemas/balance/conversion-event.ts'
import type { Deps } from './deps.ts'
import type { Rails } from '../rails/index.ts'
import type { ConversionAnswer, ConversionOrder } from '../rails/rail.ts'
import { callRail, RailRefusal } from '../rails/rail-refusal.ts'

/** The steps of the `conversion` process. Each is safe to repeat: a conversion that has ended stays as it is. */
export const conversionActivities = ({ database, rails }: Deps) => {
  /** Notes when the rail is asked again, if it has not decided; a process of before 2026-11-24 does not say it. */
  async function undecided(id: string, answer: ConversionAnswer, askAgainAt: number | undefined) {
    if (answer !== 'unknown' || askAgainAt === undefined) return answer
    await inTransaction(database, async (em) => {
      const conversion = await lock(em, Conversion, id)
      if (!isEnded(conversion.status)) conversion.nextPollAt = new Date(askAgainAt)
    })
    return answer
  }

  return {
    /**
     * Sends the order to the rail. Only a `RailRefusal` fails the conversion; after any other error the rail is asked
     * again. `askAgainAt` is when the process asks again if the rail does not decide now.
     */
    submitConversion: async (id: string, at: number, askAgainAt?: number): Promise<ConversionAnswer> => {
      const taken = await inTransaction(database, (em) => takeUp(em, id, at))
      if (typeof taken === 'string') return taken
      const answer = await callRail(() => convert(rails, taken)).catch((error: unknown) => {
        if (error instanceof RailRefusal) return 'failed' as const
        throw error
      })
      return undecided(id, answer, askAgainAt)
    },

    /** Asks the rail for the state of the conversion. */
    lookUpConversion: async (id: string, askAgainAt?: number): Promise<ConversionAnswer> => {
      const environment = await inTransaction(database, async (em) => {
        const conversion = await lock(em, Conversion, id)
        if (!isEnded(conversion.status)) conversion.pollCount += 1
        return conversion.environment
      })
      const answer = await callRail(() => rails.in(environment).conversions.lookUpConversion(id))
      return undecided(id, answer, askAgainAt)
    },

    /** Records the end of the conversion, posts or releases the money reserved for it, and records the event. */
    closeConversion: (id: string, end: ConversionEnd, asked: number): Promise<ConversionEnd> =>
      inTransaction(database, async (em) => {
        const conversion = await lock(em, Conversion, id)
        const at = await timeOf(em, conversion, asked)
        if (isEnded(conversion.status)) return conversion.status
        actsAs(em, 'rail')
        await endConversion(em, conversion, end, at)
        const when = new Date(at)
        const data = end === 'completed' ? conversionCompleted(conversion, when) : conversionFailed(conversion, when)
        await recordEvent(em, conversion, { type: `conversion.${end}`, resourceId: id, data }, at)
        return end
      }),
  }
}

const convert = <E extends Environment>(rails: Rails, order: ConversionOrder<E>): Promise<ConversionAnswer> =>
  rails.in(order.environment).conversions.convert(order)

/** The order for the rail, after the conversion was marked as possibly sent; or its end, where it has already ended. */
async function takeUp(em: EntityManager, id: string, asked: number): Promise<ConversionOrder | ConversionEnd> {
  const conversion = await lock(em, Conversion, id)
  if (isEnded(conversion.status)) return conversion.status
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
