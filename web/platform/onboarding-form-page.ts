import { isDeepStrictEqual } from 'node:util'
import type { Answer, Refused } from '../api.ts'
import { goTo } from '../site.ts'
import { openedWith } from '../opened-form.ts'
import type { Sent } from '../token-site.ts'
import type { InputErrors } from '../form-result.ts'
import {
  type Asked,
  errorsAt,
  type Field,
  inOrder,
  readFields,
  reviewerErrors,
  shownFields,
  valueAt,
  withoutRefused,
} from './onboarding-field.ts'
import { type Box, boxTexts, editsIn, keepUnchangedBoxes } from './onboarding-edits.ts'
import { nextStep, type Step, type StepKey, stepsOf } from './onboarding-step.ts'
import { home, type OnboardingSite, problemOf, readSeller, type Seller, type Visit } from './onboarding-visit.ts'

/** A step that is one form. */
export type FormStep = {
  key: StepKey
  title: string
  /** Why it is asked. */
  lead: string
  fields: (seller: Seller) => Field[]
  /** Where the values are that the API knows. */
  source: (seller: Seller) => unknown
  /** What is said of the secrets that the API has, by the names of their fields. */
  provided: (seller: Seller) => Record<string, string>
  /** The roles that may be chosen beside the fields, and those that are. */
  roles?: (seller: Seller) => RoleChoice[]
  /**
   * Sends what was typed. A change has no idempotency key: a form that is sent again after another one has to change
   * the account again.
   */
  save: (visit: Visit, seller: Seller, body: Record<string, unknown>, sent: Sent) => Promise<Answer<unknown>>
}

export type RoleChoice = Box & { label: string }

/** The form as it was sent, with what is wrong in it. */
type Tried = { typed: Record<string, string>; errors: InputErrors; refused: Refused | null; roles: RoleChoice[] }

/** `/onboarding/{step}`: reads the form of a step, saves what is right in it, and goes on once nothing is wrong. */
export function addFormStep(site: OnboardingSite, form: FormStep): void {
  site.read(`/${form.key}`, async (visit) => {
    const seller = await readSeller(site, visit)
    if (seller) showForm(site, visit, { form, seller, tried: null })
  })
  site.submit(`/${form.key}`, async (visit, sent) => {
    const seller = await readSeller(site, visit)
    if (!seller) return
    const step = stepIn(seller, form.key)
    const fields = form.fields(seller)
    const provided = form.provided(seller)
    keepUnchangedBoxes(sent, form.roles?.(seller) ?? [])
    const edits = editsIn(fields, sent, valuesOf(fields, form.source(seller)))
    const { body, errors } = readFields(fields, edits.text, step, ({ name }) => provided[name] !== undefined)
    const { refused, wrong } = await saveWhatFits(fields, body, (fitting) => form.save(visit, seller, fitting, sent))
    const all = inOrder(fields, { ...errors, ...wrong, ...edits.errors })
    if (refused === null && Object.keys(all).length === 0) return goNext(site, visit, form.key)
    const now = await readSeller(site, visit) // what was right is saved by now
    const roles = (form.roles?.(seller) ?? []).map((role) => ({ ...role, isChosen: sent.form.has(role.name) }))
    if (now) showForm(site, visit, { form, seller: now, tried: { typed: edits.typed, errors: all, refused, roles } })
  })
}

/** The step of this key; where an account is asked for nothing in it, an empty one. */
export const stepIn = ({ account }: Seller, key: StepKey): Step =>
  stepsOf(account).find((step) => step.key === key) ?? { key, state: 'done', asked: [], due: [], later: [], errors: [] }

/** Goes to the next step in which something is due; where nothing is, to the start. */
export async function goNext(site: OnboardingSite, visit: Visit, after: StepKey): Promise<void> {
  const seller = await readSeller(site, visit)
  if (!seller) return
  const key = nextStep(stepsOf(seller.account), after)
  goTo(visit.ctx, `${home}${key ? `/${key}` : ''}?done=saved`)
}

type Saved = { refused: Refused | null; wrong: InputErrors }

/**
 * Sends a body; where the API refuses some of its fields, sends it again without them until it is taken, so that
 * everything else is saved and a secret need not be typed again. Without the fields of one refusal others may be wrong:
 * what is left of a share, for example. What `isWhole` is saved as a whole or not at all. `refused` is another refusal
 * than one of fields that were sent: then nothing is saved.
 */
export async function saveWhatFits(
  fields: readonly Field[],
  body: Record<string, unknown>,
  save: (body: Record<string, unknown>) => Promise<Answer<unknown>>,
  { isWhole = false } = {},
): Promise<Saved> {
  const wrong: InputErrors = {}
  let left: Record<string, unknown> | null = Object.keys(body).length > 0 ? body : null
  while (left !== null) {
    const answer = await save(left)
    if (answer.ok) break
    const { refused } = answer
    const found = errorsAt(fields, refused.errors)
    const rest = withoutRefused(fields, left, refused.errors)
    Object.assign(wrong, found)
    if (Object.keys(found).length === 0 || isDeepStrictEqual(rest, left)) return { refused, wrong }
    left = isWhole ? null : rest
  }
  return { refused: null, wrong }
}

type Showing = { form: FormStep; seller: Seller; tried: Tried | null }

function showForm(site: OnboardingSite, visit: Visit, { form, seller, tried }: Showing): void {
  const steps = stepsOf(seller.account)
  const step = stepIn(seller, form.key)
  const fields = form.fields(seller)
  const errors = tried?.errors ?? reviewerErrors(fields, step)
  const stored = valuesOf(fields, form.source(seller))
  const storedRoles = form.roles?.(seller) ?? []
  const typed = tried?.typed ?? stored
  const isRight = Object.keys(errors).length === 0
  const problem = tried?.refused ? problemOf(tried.refused) : isRight ? null : tried ? correct : asksAgain
  site.show(visit, {
    template: 'step',
    title: form.title,
    at: form.key,
    status: tried ? (tried.refused?.status ?? 422) : 200,
    data: {
      lead: form.lead,
      ...placeOf(steps, form.key),
      opened: openedWith({ ...stored, ...boxTexts(storedRoles) }),
      fields: shownFields(fields, { typed, provided: form.provided(seller), asked: step satisfies Asked }),
      roles: tried?.roles ?? storedRoles,
      errors,
      problem,
    },
  })
}

const correct = 'Please correct the following. Everything else is saved.'
const asksAgain = 'We have checked your details and need something from you once more.'

/** Where a step is among the others. */
export const placeOf = (steps: readonly Step[], key: StepKey) => {
  const index = steps.findIndex((step) => step.key === key)
  return { place: index < 0 ? null : { number: index + 1, total: steps.length } }
}

/** What the API knows of the fields, except secrets. */
export function valuesOf(fields: readonly Field[], source: unknown): Record<string, string> {
  return Object.fromEntries(
    fields.flatMap(({ name, path, kind }) => (kind === 'secret' ? [] : [[name, valueAt(source, path)]])),
  )
}
