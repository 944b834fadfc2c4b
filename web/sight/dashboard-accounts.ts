import type { Context } from 'koa'
import type { Static } from 'typebox'
import { isOneOf } from '../../domain/narrow.ts'
import { accountStatuses } from '../../domain/platform/requirement.ts'
import { accountCountryCodes } from '../../domain/platform/requirement-rule.ts'
import type { Account } from '../../schemas/platform/account.ts'
import { timeOf } from '../words.ts'
import { type Listed, pagesOf, queryOf, showUnlisted } from './dashboard-lists.ts'
import { pageOf, type Site } from '../site.ts'
import { accountStatusNames, countryName, requirementName } from '../platform/requirement-words.ts'
import { accountsLink, addAccountPage, titleOf } from './dashboard-account.ts'

type Shown = Static<typeof Account>

/** `/dashboard/accounts`: the platform's connected accounts, what each has to provide and by when. */
export function addAccountPages(site: Site): void {
  const { home, sessions, read, show } = site
  const folder = `${home}${accountsLink.path}`

  read(accountsLink.path, async (ctx) => {
    const filters = filtersIn(ctx)
    const answer = await sessions.call<Listed<Shown>>(ctx, 'GET', `/v1/accounts?${queryOf(ctx, filters)}`)
    if (!answer.ok) return showUnlisted(site, ctx, answer.refused, folder)
    const data = {
      isSignedIn: true,
      at: accountsLink.path,
      items: answer.body.items.map((row) => ({ ...shownRow(row), link: `${folder}/${row.account_id}` })),
      ...filters,
      isFiltered: filters.status !== '' || filters.country !== '',
      statuses: accountStatusNames,
      countries: accountCountryCodes.map((code) => [code, countryName(code)]),
      pages: pagesOf(folder, answer.body.pagination, filters),
      folder,
    }
    show(ctx, pageOf('dashboard/accounts', 'Accounts', data))
  })

  addAccountPage(site)
}

/** The filters in an address; a value that does not exist filters nothing. */
function filtersIn({ query: { status, country } }: Context) {
  return {
    status: isOneOf(accountStatuses, status) ? status : '',
    country: isOneOf(accountCountryCodes, country) ? country : '',
  }
}

function shownRow(row: Shown) {
  const { status, country, requirements: now } = row
  const due = now.currently_due.map(requirementName)
  return {
    title: titleOf(row),
    status: accountStatusNames[status],
    isLate: status === 'restricted' || status === 'rejected' || now.past_due.length > 0,
    isActive: status === 'active',
    country: country && countryName(country),
    due: due.length > 3 ? `${due.slice(0, 3).join(', ')} and ${due.length - 3} more` : due.join(', '),
    deadline: timeOf(now.current_deadline),
    made: timeOf(row.created_at),
  }
}
