import type { Context } from 'koa'
import type { Static } from 'typebox'
import { productCategories } from '../../domain/catalogue/product-category.ts'
import { capabilities } from '../../domain/platform/capability.ts'
import { requirementMeanings } from '../../domain/platform/requirement-code.ts'
import type { DeskAccount } from '../../schemas/platform/account-review.ts'
import type { Refused } from '../api.ts'
import { formResultOf } from '../form-result.ts'
import {
  accountStatusNames,
  addressLine,
  businessTypeNames,
  capabilityNames,
  capabilityStatusNames,
  codesAskedOf,
  countryName,
  documentName,
  requirementName,
  requirementNames,
} from '../platform/requirement-words.ts'
import { goTo, type Site } from '../site.ts'
import { moment, timeOf } from '../words.ts'
import {
  type Fact,
  type FormState,
  idIn,
  isForbidden,
  readResource,
  reviewDeskPage,
  type Sight,
  typedIn,
} from './page.ts'
import { isolated } from '../isolated.ts'

type Shown = Static<typeof DeskAccount>
/** What was typed into the form: also what to ask for, by the code. */
type Asking = FormState & { asked?: Record<string, string> }

/** `/ops/accounts/{id}`: an account, what it has provided, and its review. */
export function addAccountPage(site: Site): void {
  const { home, problems, sessions, read, submit, show, showRefused } = site
  const pathOf = (ctx: Context) => `/api/v1/admin/accounts/${idIn(ctx)}`

  async function showAccount(ctx: Context, formState: Asking): Promise<void> {
    const answer = await readResource<Shown>(site, ctx, pathOf(ctx))
    if (!answer.ok) return showRefused(ctx, answer.refused)
    show(ctx, accountPage(home, answer.body, formState))
  }

  read('/accounts/:id', (ctx) => showAccount(ctx, { notice: ctx.query['done'] === '1' ? 'Decision saved.' : null }))

  // A link to a file works for five minutes only, so it is made when somebody opens the file.
  async function openDocument(ctx: Context): Promise<void> {
    const answer = await sessions.call<Shown>(ctx, 'GET', pathOf(ctx))
    if (!answer.ok) return showRefused(ctx, answer.refused)
    const { document } = ctx['params'] as { document: string }
    const found = answer.body.documents.find(({ id }) => id === document)
    goTo(ctx, found ? found.url : `${home}/accounts/${idIn(ctx)}`)
  }

  read('/accounts/:id/documents/:document', openDocument, { isLanding: false })

  submit('/accounts/:id/review', async (ctx, form) => {
    const asked = askedIn(form)
    const answer = await sessions.call(ctx, 'POST', `${pathOf(ctx)}/review`, decisionIn(form, asked))
    if (answer.ok) return goTo(ctx, `${home}/accounts/${idIn(ctx)}?done=1`)
    if (isForbidden(answer.refused)) return showRefused(ctx, answer.refused)
    const result = formResultOf(withoutErrors(answer.refused), { ...problems, CONFLICT: decidedMeanwhile })
    const errors = { ...result.errors, ...askingError(answer.refused) }
    const problem = Object.keys(errors).length > 0 ? null : result.problem
    await showAccount(ctx, { ...result, errors, problem, form: 'decide', typed: typedIn(form), asked })
  })
}

const decidedMeanwhile =
  'Not saved: someone else has decided or claimed it, or the account has changed. This is its current state.'

const prefix = 'ask.'

/** What a form asks for once more, by the code. */
const askedIn = (form: URLSearchParams): Record<string, string> =>
  Object.fromEntries(
    [...form].flatMap(([name, text]) =>
      name.startsWith(prefix) && text.trim() ? [[name.slice(prefix.length), text.trim()]] : [],
    ),
  )

/** The decision in a form. It is not checked here: the API refuses one that is not complete. */
function decisionIn(form: URLSearchParams, asked: Record<string, string>): object {
  const { decision, reason } = typedIn(form)
  const errors = Object.entries(asked).map(([code, why]) => ({ code, reason: why }))
  const review = form.get('review_id')
  return {
    decision,
    ...(reason && { reason }),
    ...(errors.length > 0 && { errors }),
    ...(review && { review_id: review }),
  }
}

const isAboutAsking = ({ field }: { field: string }): boolean => field === 'errors' || field.startsWith('errors.')

const withoutErrors = (refused: Refused): Refused => ({
  ...refused,
  errors: refused.errors.filter((error) => !isAboutAsking(error)),
})

/** The message about what is asked for: nothing is, or it does not fit the decision. */
function askingError({ errors }: Refused): { asked?: string } {
  const found = errors.find(isAboutAsking)
  if (!found) return {}
  if (found.type === 'value_error.missing') return { asked: 'Write beside at least one line what is missing or wrong.' }
  return found.field === 'errors' && found.message.includes('request of information')
    ? { asked: 'You have written what to ask for. Choose “Ask for information”, or clear these lines.' }
    : { asked: 'Enter at most 200 characters in a line.' }
}

const waits: Record<string, string> = {
  onboarding: 'Something is missing. No action needed until the account provides it.',
  under_review: 'Awaiting a decision. Until then it takes no payments and nothing is paid out.',
  active: 'Active. No action needed.',
  restricted: 'Restricted: a deadline has passed. No action needed until the account provides what is missing.',
  rejected: 'Permanently rejected. No action needed.',
}

function accountPage(home: string, shown: Shown & Sight, formState: Asking) {
  const { account, name, persons, unverified } = shown
  const isActiveInReview = account.status === 'active' && shown.review?.state === 'open'
  const page = { ...shown, account: { account_id: account.account_id, name } }
  return reviewDeskPage('ops/account', name, page, formState, {
    id: account.account_id,
    status: accountStatusNames[account.status],
    wait: isActiveInReview
      ? 'Awaiting a decision about what has changed. The account stays active.'
      : waits[account.status],
    facts: factsOf(shown),
    persons: persons.map(shownPerson),
    files: filesOf(home, shown),
    requirements: shownRequirements(shown),
    capabilities: capabilities.map((each) => [
      capabilityNames[each],
      capabilityStatusNames[account.capabilities[each]],
    ]),
    asked: formState.asked ?? {},
    asking: codesAskedOf(account).map((code) => ({
      code,
      input: `${prefix}${code}`,
      name: requirementName(code),
      meaning: requirementMeanings[code],
      isNew: unverified.includes(code),
    })),
  })
}

/** The documents, the newest first. Only the newest of each kind may be what has to be decided. */
const filesOf = (home: string, { account, documents, persons, unverified }: Shown) =>
  documents.map(({ id, document_type: type, file_name: file, uploaded_at: at, person_id: person }, index) => {
    const code = person === null ? type : 'representative.id_document'
    const isNewest = index === documents.findIndex((each) => each.document_type === type && each.person_id === person)
    return {
      name: documentName(type),
      file,
      uploaded: timeOf(at),
      person: person && nameIn(persons, person),
      link: `${home}/accounts/${account.account_id}/documents/${id}`,
      isNew: isNewest && unverified.includes(code),
    }
  })

type Person = Shown['persons'][number]

const nameOf = ({ first_name: first, last_name: last }: Person): string =>
  [first, last].filter(Boolean).join(' ') || 'Without a name'

const nameIn = (persons: Person[], id: string): string => {
  const person = persons.find(({ person_id: each }) => each === id)
  return person ? nameOf(person) : id
}

const shownPerson = (person: Person) => ({
  name: nameOf(person),
  facts: [
    ['Is', person.roles.join(', ')],
    ['Share', person.percent_ownership === null ? null : `${person.percent_ownership} %`],
    ['Date of birth', person.date_of_birth_provided ? 'Provided' : 'Missing'],
    ['ID number', person.id_number_provided ? `Provided, ends in ${person.id_number_last_four}` : null],
    ['Phone', person.phone_number],
    ['Email', person.email],
    ['Address', addressLine(person.address)],
  ].filter(([, value]) => value),
})

/** What is missing, and what the decision is about. */
function shownRequirements({ account: { requirements: now }, unverified }: Shown): Fact[] {
  const asked = now.errors.map(({ code, reason }) => `${requirementName(code)}: ${reason}`).join('; ')
  const all: Fact[] = [
    ['To decide', requirementNames(unverified)],
    ['Missing', requirementNames(now.currently_due)],
    ['Past its deadline', requirementNames(now.past_due)],
    ['Needed later', requirementNames(now.eventually_due)],
    ['Asked for again', asked || null],
    ['Deadline', now.current_deadline && moment(now.current_deadline)],
  ]
  return all.filter(([, value]) => value)
}

const categories = new Map<string, string>(productCategories.map(({ value, label }) => [value, label]))

function factsOf({ account, platform }: Shown): Fact[] {
  const { company, business_profile: profile, business_type: type } = account
  return [
    ['Platform', platform && `${isolated(platform.name)}, ${platform.account_id}`],
    ['Account', account.account_id],
    ['Status', accountStatusNames[account.status]],
    ['Reason', account.status_reason],
    ['Country', account.country && countryName(account.country)],
    ['Type of business', type && businessTypeNames[type]],
    ['Email', account.email],
    ['Name that buyers see', profile.name],
    ['What is sold', profile.product_category && (categories.get(profile.product_category) ?? null)],
    ['Description', profile.product_description],
    ['Website', profile.website],
    ['Registered name', company.name],
    ['Registration number', company.registration_number],
    ['Tax number', company.tax_id_provided ? 'Provided' : null],
    ['Phone', company.phone_number],
    ['Business address', addressLine(company.address)],
    ['All owners are listed', company.owners_provided ? 'Yes' : null],
    ['Terms accepted', account.terms_accepted_at && moment(account.terms_accepted_at)],
  ]
}
