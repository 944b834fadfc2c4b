import Type, { type Static } from 'typebox'
import type { CurrencySum, MethodSum } from '../../db/checkout/summary.ts'
import { corridorKeys } from '../../domain/corridor.ts'
import { format } from '../../domain/money.ts'
import { CurrencyCode, iso, Money, Timestamp } from '../common.ts'

const countOf = (what: string) => Type.Integer({ minimum: 0, description: `How many payments ${what}.` })
const volumeFields = {
  amount: Type.String({ ...Money, description: 'What buyers have paid.' }),
  count: countOf('have succeeded'),
}
const Volume = Type.Object(volumeFields, { description: 'What buyers have paid, and by how many payments.' })
const Day = Type.String({ format: 'date', examples: ['2026-11-25'], description: 'A day in UTC.' })

/** The payments of a month so far, added up. */
export const Summary = Type.Object(
  {
    from: Type.String({ format: 'date-time', description: 'The beginning of the month, in UTC.' }),
    until: Type.String({ ...Timestamp, description: 'The time up to which payments are added up.' }),
    volume: Type.Array(
      Type.Object({
        currency: CurrencyCode,
        today: Volume,
        month: Volume,
        days: Type.Array(Type.Object({ date: Day, ...volumeFields }), {
          description: 'The days in UTC with a payment that has succeeded, the earliest first.',
        }),
      }),
      { description: 'Succeeded payments by the day on which they were created. Refunds are not deducted.' },
    ),
    payment_methods: Type.Array(
      Type.Object({
        payment_method: Type.Enum(corridorKeys),
        succeeded: countOf('have succeeded'),
        failed: countOf('have failed'),
      }),
      { description: 'How many payments have succeeded and failed. Open and canceled ones are not counted.' },
    ),
  },
  { $id: 'Summary' },
)

type Sums = { currencies: readonly CurrencySum[]; methods: readonly MethodSum[] }

export function presentSummary(
  { currencies, methods }: Sums,
  { from, until }: { from: Date; until: Date },
): Static<typeof Summary> {
  const today = iso(until).slice(0, 10)
  const volumeOf = (sum: CurrencySum | undefined, currency: CurrencySum['currency']) => ({
    amount: format(sum?.amount ?? '0', currency),
    count: sum?.succeeded ?? 0,
  })
  const months = currencies.filter(({ day }) => day === null)
  return {
    from: iso(from),
    until: iso(until),
    volume: months.map((month) => {
      const { currency } = month
      const days = currencies.filter((each) => each.currency === currency && each.day !== null)
      return {
        currency,
        today: volumeOf(
          days.find(({ day }) => day === today),
          currency,
        ),
        month: volumeOf(month, currency),
        days: days.map((each) => ({ date: each.day ?? '', ...volumeOf(each, currency) })),
      }
    }),
    payment_methods: methods.map(({ corridor, succeeded, failed }) => ({
      payment_method: corridor,
      succeeded,
      failed,
    })),
  }
}
