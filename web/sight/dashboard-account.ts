import type { Context } from 'koa'
import type { Static } from 'typebox'
import { extrasOf, isOffered } from '../../domain/platform/requirement-rule.ts'
import type { Balance } from '../../schemas/balance/balance.ts'
import type { Account, Capability } from '../../schemas/platform/account.ts'
import type { ListedDocument } from '../../schemas/platform/document.ts'
import type { OnboardingLink } from '../../schemas/platform/onboarding.ts'
import type { Person } from '../../schemas/platform/person.ts'
import type { Timeline } from '../../schemas/sight/timeline.ts'
import type { Answer, Refused } from '../api.ts'
import {
  accountStatusNames,
  businessTypeNames,
  capabilityNames,
  capabilityStatusNames,
  countryName,
  documentName,
  requirementName,
  requirementNames,
} from '../platform/requirement-words.ts'
import { typedText } from '../form.ts'
import { goTo, pageOf, type Site } from '../site.ts'
import type { InputErrors } from '../form-result.ts'
import { money, problem, timeOf } from '../words.ts'
import { isUnread, mayDo, noticeIn } from './board-form.ts'
import { type Fact, factsOf, idIn, type Listed, showUnread } from './dashboard-lists.ts'
import { shownTimeline } from './timeline.ts'

type Shown = Static<typeof Account>
type ListedBalance = Static<typeof Balance>

export const accountsLink = { path: '/accounts', words: 'Accounts' }

/** The name of an account: what buyers see, else what is registered. */
export const titleOf = ({ account_id: id, business_profile: profile, company }: Shown): string =>
  profile.name ?? company.name ?? id

/** What is shown of an account. */
type Whole = {
  account: Shown
  capabilities: Static<typeof Capability>[]
  persons: Static<typeof Person>[]
  documents: Static<typeof ListedDocument>[]
  balances: ListedBalance[]
  timeline: Static<typeof Timeline>
  mayWrite: boolean
}

/** The form for a link, as it was sent. */
type Tried = { typed: { return_url: string; refresh_url: string }; errors: InputErrors; problem: string | null }

/** `/dashboard/accounts/{id}`: one connected account, its capabilities, and a link to its onboarding page. */
export function addAccountPage(site: Site): void {
  const { home, sessions, read, submit, show } = site
  const pathOf = (ctx: Context) => `/v1/accounts/${idIn(ctx)}`
  const pageOfId = (ctx: Context) => `${home}${accountsLink.path}/${idIn(ctx)}`

  async function showAccount(ctx: Context, tried: Tried | null = null, status = 200): Promise<void> {
    const whole = await readWhole(site, ctx, pathOf(ctx))
    if (!whole.ok) return showUnread(site, ctx, whole.refused)
    const timeline = shownTimeline(whole.body.timeline, { home, isForStaff: false })
    const notice = noticeIn(ctx, notices)
    const data = { ...shownAccount(whole.body), timeline, notice, folder: `${home}${accountsLink.path}` }
    const common = { isSignedIn: true, at: accountsLink.path, typed: { return_url: '', refresh_url: '' } }
    show(ctx, pageOf('dashboard/account', titleOf(whole.body.account), { ...common, ...data, ...tried }, status))
  }

  read(`${accountsLink.path}/:id`, (ctx) => showAccount(ctx))

  submit(`${accountsLink.path}/:id/capabilities`, async (ctx, form) => {
    const capability = encodeURIComponent(form.get('capability') ?? '')
    const body = { requested: form.get('requested') === '1' }
    const answer = await sessions.call(ctx, 'POST', `${pathOf(ctx)}/capabilities/${capability}`, body)
    if (answer.ok) return goTo(ctx, `${pageOfId(ctx)}?done=${body.requested ? 'requested' : 'withdrawn'}`)
    await showTried(ctx, answer.refused, noTry)
  })

  // The page with the new link is the answer to the form, and is not stored: the link is shown once.
  submit(`${accountsLink.path}/:id/link`, async (ctx, form) => {
    const text = (name: string) => typedText(form, name)
    const typed = { return_url: text('return_url'), refresh_url: text('refresh_url') }
    const body = { return_url: typed.return_url, refresh_url: typed.refresh_url || typed.return_url }
    const answer = await sessions.call<Static<typeof OnboardingLink>>(
      ctx,
      'POST',
      `${pathOf(ctx)}/onboarding-link`,
      body,
    )
    if (!answer.ok) return showTried(ctx, answer.refused, { typed, errors: linkErrors(answer.refused), problem: null })
    const { url, expires_at: expires } = answer.body
    const data = { isSignedIn: true, at: accountsLink.path, url, expires: timeOf(expires), back: pageOfId(ctx) }
    show(ctx, pageOf('dashboard/onboarding-link', 'A new onboarding link', data, 201))
  })

  /** Shows the page again after a form that was refused. Whoever may not do this at all is told so. */
  async function showTried(ctx: Context, refused: Refused, tried: Tried): Promise<void> {
    if (isUnread(refused)) return showUnread(site, ctx, refused)
    const isMarked = Object.keys(tried.errors).length > 0
    await showAccount(ctx, { ...tried, problem: isMarked ? null : problemOf(refused) }, refused.status)
  }
}

const noTry: Tried = { typed: { return_url: '', refresh_url: '' }, errors: {}, problem: null }

const notices: Record<string, string> = {
  requested: 'The capability is requested.',
  withdrawn: 'The capability is no longer requested.',
}

const problemOf = ({ code, waitSeconds }: Refused): string =>
  code === 'CONFLICT' || code === 'VALIDATION_ERROR'
    ? 'Not saved: the account does not allow this any more. This is its current state.'
    : problem(code, waitSeconds)

const addressWords = 'Enter the full address of a page of yours, such as https://example.com/sellers.'

function linkErrors({ errors }: Refused): InputErrors {
  const wrong = (name: string) => errors.some(({ field }) => field === name)
  // Without an address of its own the new link is asked for at the first one, so that only this one is marked.
  if (wrong('return_url')) return { return_url: addressWords }
  return wrong('refresh_url') ? { refresh_url: addressWords } : {}
}

/** Reads everything that the page shows, as the person's role allows. */
async function readWhole(site: Site, ctx: Context, path: string): Promise<Answer<Whole>> {
  const get = <T>(of: string, actingFor: string | null = null) =>
    site.sessions.call<T>(ctx, 'GET', of, undefined, { actingFor })
  const account = await get<Shown>(path)
  if (!account.ok) return account
  const { account_id: id } = account.body
  const [own, persons, documents, balances, timeline] = await Promise.all([
    get<{ items: Static<typeof Capability>[] }>(`${path}/capabilities`),
    get<Listed<Static<typeof Person>>>(`${path}/persons?limit=100`),
    get<Listed<Static<typeof ListedDocument>>>(`${path}/documents?limit=100`),
    get<Listed<ListedBalance>>('/v1/balances', id),
    get<Static<typeof Timeline>>(`${path}/timeline`),
  ])
  if (!own.ok) return own
  if (!persons.ok) return persons
  if (!documents.ok) return documents
  if (!balances.ok) return balances
  if (!timeline.ok) return timeline
  return {
    ok: true,
    body: {
      account: account.body,
      capabilities: own.body.items,
      persons: persons.body.items.toReversed(),
      documents: documents.body.items,
      balances: balances.body.items,
      timeline: timeline.body,
      mayWrite: mayDo(site, ctx, 'accounts:write'),
    },
  }
}

function shownAccount({ account, mayWrite, balances, documents, persons, ...whole }: Whole) {
  const { requirements: now, status } = account
  const asked = now.errors.map(({ code, reason }) => `${requirementName(code)}: ${reason}`).join('; ')
  const mayChange = mayWrite && status !== 'rejected'
  return {
    id: account.account_id,
    state: {
      words: accountStatusNames[status],
      isActive: status === 'active',
      isLate: status === 'restricted' || status === 'rejected',
    },
    mayChange,
    facts: factsOf(factsAbout(account)),
    requirements: factsOf([
      ['Due now', requirementNames(now.currently_due)],
      ['Due by', timeOf(now.current_deadline)],
      ['Past its deadline', requirementNames(now.past_due)],
      ['To correct', asked || null],
      ['Being checked', requirementNames(now.pending_verification)],
      ['Due later', requirementNames(now.eventually_due)],
    ]),
    capabilities: whole.capabilities.map((each) => shownCapability(account, each, mayChange)),
    people: persons.map(({ first_name: first, last_name: last, roles }) => ({
      name: [first, last].filter(Boolean).join(' ') || 'Without a name',
      roles: roles.join(', '),
    })),
    documents: documents.map(({ document_type: type, file_name: file, uploaded_at: at }) => ({
      name: documentName(type),
      file,
      uploaded: timeOf(at),
    })),
    balances: balances.map(shownBalance),
  }
}

const yes = (is: boolean): string => (is ? 'Yes' : 'No')

function factsAbout(account: Shown): Fact[] {
  const { business_type: type, country } = account
  return [
    ['Id', account.account_id],
    ['Reason', account.status_reason],
    ['Takes payments', yes(account.charges_enabled)],
    ['Is paid out', yes(account.payouts_enabled)],
    ['Country', country && countryName(country)],
    ['Type of business', type && businessTypeNames[type]],
    ['Registered name', account.company.name],
    ['Email', account.email],
    ['Website', account.business_profile.website],
    ['Created', timeOf(account.created_at)],
  ]
}

/** A capability, with what it needs beside the requirements of the account itself. */
function shownCapability(account: Shown, each: Static<typeof Capability>, mayChange: boolean) {
  const { capability, requested, status, requirements } = each
  const own: readonly string[] = extrasOf(capability, { ...account, businessType: account.business_type })
  return {
    code: capability,
    name: capabilityNames[capability],
    status: capabilityStatusNames[status],
    isActive: status === 'active',
    isLate: status === 'restricted',
    needs: requirementNames(requirements.currently_due.filter((code) => own.includes(code))),
    requested,
    mayChange: mayChange && (requested || isOffered(account.country, capability)),
  }
}

const shownBalance = ({ currency, available, pending, reserved, owed }: ListedBalance) => ({
  currency,
  facts: [
    ['Available', money(available, currency)],
    ['Pending', money(pending, currency)],
    ['Reserved', money(reserved, currency)],
    ['Owed', money(owed, currency)],
  ],
})
