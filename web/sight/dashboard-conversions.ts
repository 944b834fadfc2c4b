import type { Static } from 'typebox'
import { type ConversionStatus, conversionStatuses } from '../../domain/balance/conversion.ts'
import type { Conversion } from '../../schemas/balance/conversion.ts'
import type { Site } from '../site.ts'
import { money, timeOf } from '../words.ts'
import { noticeIn } from './board-form.ts'
import { addConversionForm } from './conversion-form.ts'
import type { Fact } from './dashboard-lists.ts'
import { addResourceFolder, also } from './dashboard-resources.ts'
import { textIn, wordIn } from './list-filter.ts'

type ShownConversion = Static<typeof Conversion>

export const conversionsLink = { path: '/conversions', words: 'Conversions' }

const statuses: Record<ConversionStatus, string> = {
  pending: 'Accepted',
  processing: 'On its way',
  completed: 'Converted',
  failed: 'Failed',
}

/** `/dashboard/conversions`: the conversions, each with its timeline, and a form that asks for a price first. */
export function addConversionPages(site: Site): void {
  const folder = `${site.home}${conversionsLink.path}`
  addConversionForm(site, folder)
  addResourceFolder<ShownConversion>(site, {
    link: conversionsLink,
    one: 'Conversion',
    collection: '/v1/conversions',
    templates: { list: 'dashboard/conversions', one: 'dashboard/conversion' },
    statuses,
    filtersIn: (ctx) => ({
      status: wordIn(ctx, 'status', conversionStatuses),
      reference: textIn(ctx, 'reference').slice(0, 128),
    }),
    idOf: (row) => row.conversion_id,
    itemOf: shownRow,
    factsOf: conversionFacts,
    more: (ctx, row) =>
      also({
        state: stateOf(row),
        notice: noticeIn(ctx, { sent: 'The conversion is accepted. Its timeline says how it goes on.' }),
      }),
  })
}

const stateOf = ({ status }: ShownConversion) => ({
  words: statuses[status],
  isLate: status === 'failed',
  isActive: status === 'completed',
})

const soldOf = (row: ShownConversion): string => money(row.from_amount, row.from_currency)
const boughtOf = (row: ShownConversion): string => money(row.to_amount, row.to_currency)

const shownRow = (row: ShownConversion) => ({
  title: `${soldOf(row)} for ${boughtOf(row)}`,
  state: stateOf(row),
  rate: row.rate,
  fee: money(row.fee, row.from_currency),
  reference: row.reference,
  created: timeOf(row.created_at),
})

const conversionFacts = (row: ShownConversion): Fact[] => [
  ['Id', row.conversion_id],
  ['You give', soldOf(row)],
  ['Fee, part of it', money(row.fee, row.from_currency)],
  ['Rate', `${money('1', row.from_currency)} is ${row.rate} ${row.to_currency}`],
  ['You get', boughtOf(row)],
  ['Reference', row.reference],
  ['Why it failed', row.failure_reason],
  ['Conversion quote', row.quote_id],
  ['Created', timeOf(row.created_at)],
  ['Completed', timeOf(row.completed_at)],
  ...Object.entries(row.metadata).map(([name, value]): Fact => [`metadata: ${name}`, value]),
]
