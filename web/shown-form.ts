import type { Context } from 'koa'
import type { Static } from 'typebox'
import { type Environment, environments } from '../domain/access/scope.ts'
import { isOneOf } from '../domain/narrow.ts'
import type { SignedIn } from '../schemas/access/login.ts'
import type { Refused } from './api.ts'
import { formResultOf } from './form-result.ts'
import type { Page } from './render.ts'

type Person = Static<typeof SignedIn>

/** The hidden field that says whom the page of a form was shown to, and which data they saw. */
const field = 'shown_to'
/** A form in which one of these is filled in is never written into a page again. */
const secretFields = /password|^(code|otpauth_uri|tax_id|date_of_birth|id_number)$/

/** Whether a form has a secret, so that no page may give it back. */
export const hasSecret = (fields: Iterable<[string, string]>): boolean =>
  [...fields].some(([name, value]) => value !== '' && secretFields.test(name))

/** To whom a page is shown, and which data they see; `environment` is null on a site that has none to choose. */
export const markOf = (userId: string, environment: Environment | null): string => `${environment ?? 'any'}.${userId}`

/**
 * Writes into every form of a page whom it is shown to. Somebody may sign in as another person, or choose other data,
 * in another tab; a form of the page that is still open would then be sent for somebody who never saw it.
 */
export function markForms(html: string, mark: string): string {
  const input = `<input type="hidden" name="${field}" value="${mark}">`
  return html.replaceAll(/<form [^>]*method="post"[^>]*>/g, (start) => start + input)
}

/** A form that came, until it is handled. */
export type SentForm = {
  fields: [string, string][]
  /** Whom its page was shown to; null if it does not say. */
  shownTo: string | null
  isMultipart: boolean
  /** It had a file, which a page cannot give back. */
  hadFile: boolean
}

/** Takes the mark out of a form, which is no field of any page, and keeps the form for a page that gives it back. */
export function takeForm(ctx: Context, form: URLSearchParams, more: Partial<SentForm> = {}): SentForm {
  const shownTo = form.getAll(field).at(-1) ?? null // a form that is given back has its first mark last
  form.delete(field)
  const sent: SentForm = { fields: [...form], shownTo, isMultipart: false, hadFile: false, ...more }
  ctx.state['sentForm'] = sent
  return sent
}

/**
 * The page that gives back a form, to be sent again: to whoever is signed out, or sees other data than those of the
 * form, where it is not known who sends it, and where a call of its page was refused for the moment (`refused` says
 * why). Null where there is no form, or it has a secret.
 */
export function heldFormPage(ctx: Context, person: Person | null, refused: Refused): Page | null {
  const sent = ctx.state['sentForm'] as SentForm | undefined
  if (!sent || hasSecret(sent.fields)) return null
  const [environment, userId] = sent.shownTo?.split('.') ?? []
  const held = {
    ...sent,
    action: ctx.path,
    mark: field,
    isOfOther: person !== null && userId !== person.user.id,
    environment: isOneOf(environments, environment) ? environment : null,
  } satisfies SentForm & Record<string, unknown>
  const isNotTheirs = person !== null && refused.status === 401
  const problem = refused.status === 401 ? null : formResultOf(refused).problem
  const title = titleOf(person, refused)
  const data = { held, title, problem, notice: null, isSignedIn: person !== null }
  return { template: 'site/held', status: isNotTheirs ? 409 : refused.status, title, data }
}

function titleOf(person: Person | null, { status }: Refused): string {
  if (status !== 401) return person === null ? 'Nothing was done' : 'That did not work' // a call may have been made
  return person === null ? 'You are signed out' : 'Nothing was done'
}
