import type { Refused } from '../api.ts'
import { goTo } from '../site.ts'
import { formSteps } from './onboarding-business.ts'
import { type Field, labelsOf } from './onboarding-field.ts'
import { placeOf, valuesOf } from './onboarding-form-page.ts'
import { shownPerson } from './onboarding-people.ts'
import { type Step, stepsOf } from './onboarding-step.ts'
import {
  home,
  type OnboardingSite,
  problemOf,
  readSeller,
  representativeOf,
  type Seller,
  type SellerAccount,
  type Visit,
} from './onboarding-visit.ts'
import { sellerName } from './requirement-words.ts'

/** The names of the steps, in lists and at the top of their pages. */
export const stepNames: Record<Step['key'], string> = {
  business: 'Your business',
  company: 'Your organization',
  person: 'About you',
  people: 'Owners and directors',
  documents: 'Your documents',
  review: 'Check and submit',
}

/** `/onboarding/review`: everything that was provided, and the acceptance of the terms, which submits it. */
export function addReviewPage(site: OnboardingSite): void {
  async function showReview(visit: Visit, refused: Refused | null = null, isUnticked = false): Promise<void> {
    const seller = await readSeller(site, visit)
    if (!seller) return
    const steps = stepsOf(seller.account)
    const open = steps.filter(({ key, state }) => key !== 'review' && (state === 'due' || state === 'wrong'))
    const asked = steps.find(({ key }) => key === 'review')?.errors[0]?.reason ?? null
    const asksAgain = open.length > 0 ? null : asked
    const error = isUnticked ? 'Accept the terms to submit your details.' : asksAgain
    const errors = error === null ? {} : { accepted: error }
    site.show(visit, {
      template: 'review',
      title: stepNames.review,
      at: 'review',
      status: refused?.status ?? (isUnticked ? 422 : 200),
      data: {
        ...placeOf(steps, 'review'),
        sections: steps.filter(({ key }) => key !== 'review').map((step) => sectionOf(seller, step)),
        open: open.map(({ key }) => ({ name: stepNames[key], link: `${home}/${key}` })),
        isAccepted: seller.account.terms_accepted_at !== null && asksAgain === null,
        errors,
        problem: refused ? problemOf(refused) : error === null ? null : 'Please correct the following.',
      },
    })
  }

  site.read('/review', (visit) => showReview(visit))
  site.submit('/review', async (visit, { form }) => {
    if (!form.has('accepted')) return showReview(visit, null, true)
    const body = { terms_acceptance: { accepted: true } }
    const saved = await visit.call<SellerAccount>('PATCH', `accounts/${visit.me.account_id}`, body)
    if (!saved.ok) return showReview(visit, saved.refused)
    // Something may have become due since the page was opened: then nothing is sent, and the page says what is missing.
    const isComplete = saved.body.requirements.currently_due.length === 0
    goTo(visit.ctx, isComplete ? `${home}?done=submitted` : `${home}/review`)
  })
}

type Shown = [name: string, value: string]

/** What a step says, as a list of names and values, with the link that changes it. */
function sectionOf(seller: Seller, step: Step) {
  const { key } = step
  return {
    key,
    title: stepNames[key],
    link: `${home}/${key}`,
    facts: factsOf(seller, step),
    missing: missingIn(seller, step),
  }
}

function factsOf(seller: Seller, { key, asked }: Step): Shown[] {
  if (key === 'people') return seller.persons.map((person) => [shownPerson(person).name, shownPerson(person).roles])
  if (key === 'documents') {
    return asked.map((code): Shown => [sellerName(code), fileOf(seller, code) ?? 'Not provided'])
  }
  const form = formSteps.find((each) => each.key === key)
  if (!form) return []
  const values = valuesOf(form.fields(seller), form.source(seller))
  const provided = form.provided(seller)
  return form.fields(seller).flatMap((field): Shown[] => {
    const value = provided[field.name] ?? nameOfChoice(field, values[field.name] ?? '')
    return value ? [[field.label, value]] : []
  })
}

const nameOfChoice = ({ options }: Field, value: string): string =>
  options?.find(({ code }) => code === value && code !== '')?.name ?? value

const fileOf = (seller: Seller, code: string): string | null =>
  code === 'representative.id_document'
    ? (representativeOf(seller)?.id_document?.file_name ?? null)
    : (seller.me.documents.find(({ document_type: slot }) => slot === code)?.file_name ?? null)

/** What is missing in a step, in the words of its page. */
export function missingIn(seller: Seller, { key, due }: Pick<Step, 'key' | 'due'>): string[] {
  const form = formSteps.find((each) => each.key === key)
  return form ? labelsOf(form.fields(seller), due) : due.map(sellerName)
}
