import { destinationStatuses, destinationTypes } from '../../domain/payout/destination.ts'
import { paidOutByType } from '../../domain/payout/routing.ts'
import type { Site } from '../site.ts'
import { timeOf } from '../words.ts'
import { mayDo, noticeIn } from './board-form.ts'
import type { Fact } from './dashboard-lists.ts'
import { addResourceFolder, also } from './dashboard-resources.ts'
import { addDestinationChanges } from './destination-change.ts'
import {
  destinationStatusNames,
  destinationTypeNames,
  fieldsOfKind,
  stateOfDestination,
  wordsOfField,
} from './destination-fields.ts'
import { addDestinationForm } from './destination-form.ts'
import { wordIn } from './list-filter.ts'
import { placeOf, type ShownDestination } from './payout-words.ts'

export const destinationsLink = { path: '/destinations', words: 'Destinations' }

/** Everything that payouts are paid in. */
const currencies = [...new Set(Object.values(paidOutByType).flat())]

/** `/dashboard/destinations`: where payouts may go, each with its review, and forms to add, change and remove one. */
export function addDestinationPages(site: Site): void {
  const folder = `${site.home}${destinationsLink.path}`
  addDestinationForm(site, folder)
  addDestinationChanges(site, folder)
  addResourceFolder<ShownDestination>(site, {
    link: destinationsLink,
    one: 'Payout destination',
    collection: '/v1/payouts/destinations',
    templates: { list: 'dashboard/destinations', one: 'dashboard/destination' },
    statuses: destinationStatusNames,
    filtersIn: (ctx) => ({
      status: wordIn(ctx, 'status', destinationStatuses),
      type: wordIn(ctx, 'type', destinationTypes),
      currency: wordIn(ctx, 'currency', currencies),
    }),
    besideList: { types: Object.entries(destinationTypeNames), currencies },
    idOf: (row) => row.id,
    itemOf: shownRow,
    factsOf: destinationFacts,
    more: (ctx, row) =>
      also({
        path: `${folder}/${row.id}`,
        payoutPath: `${site.home}/payouts/new?${new URLSearchParams({ destination: row.id })}`,
        state: stateOfDestination(row),
        isInReview: row.status === 'pending_review' && row.deactivated_at === null,
        isUsable: row.is_usable,
        isDefault: row.is_default,
        isRejected: row.status === 'rejected',
        mayWrite: row.deactivated_at === null && mayDo(site, ctx, 'payouts:write'),
        notice: noticeIn(ctx, notices),
      }),
  })
}

const notices = {
  added: 'The destination is added. It can be used once it is approved.',
  saved: 'Saved.',
  restated: 'Saved. It is reviewed again, and can be used once it is approved.',
  default: 'Payout schedules of its currency pay to this destination now.',
  ordinary: 'It is no longer the default of its currency.',
  removed: 'The destination is removed. Nothing is paid out to it any more.',
}

const shownRow = (row: ShownDestination) => ({
  title: row.name,
  state: stateOfDestination(row),
  place: placeOf(row),
  currency: row.currency,
  isDefault: row.is_default,
  created: timeOf(row.created_at),
})

function destinationFacts(row: ShownDestination): Fact[] {
  return [
    ['Id', row.id],
    ['Type', destinationTypeNames[row.type]],
    ['Currency', row.currency],
    ['Default of its currency', row.is_default ? 'Yes: payout schedules pay to it' : null],
    ...fieldsOfKind(row).map((field): Fact => {
      const value = row[field.name]
      return [field.label, value && wordsOfField(field, value)]
    }),
    ['Why it was rejected', row.status_reason],
    ['Created', timeOf(row.created_at)],
    ['Decided', timeOf(row.reviewed_at)],
    ['Removed', timeOf(row.deactivated_at)],
    ...Object.entries(row.metadata).map(([name, value]): Fact => [`metadata: ${name}`, value]),
  ]
}
