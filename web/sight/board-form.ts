import { randomUUID } from 'node:crypto'
import type { Context } from 'koa'
import type { Scope } from '../../domain/access/scope.ts'
import { hourMs } from '../../domain/duration.ts'
import type { Answer, Refused } from '../api.ts'
import { type FormResult, type InputErrors, formResultOf } from '../form-result.ts'
import type { Site } from '../site.ts'

// What the forms of the dashboard share: who may send them, what was typed, their keys, and why they were refused.

/** Whether the role of the signed-in person has this scope. What they may not do, a page does not offer. */
export const mayDo = ({ personOf }: Site, ctx: Context, scope: Scope): boolean =>
  personOf(ctx)?.scopes.includes(scope) === true

/** The refusal of a form page for somebody whose role cannot send it. The API would refuse the form itself. */
export const forbidden: Refused = { status: 403, code: 'FORBIDDEN', errors: [], waitSeconds: null }

/** The refusal of an address that names nothing, where the API is not asked for it. */
export const missing: Refused = { status: 404, code: 'NOT_FOUND', errors: [], waitSeconds: null }

/** Reads what a form is about, for somebody whose role has this scope. What cannot be read is refused first. */
export async function readAllowed<T>(site: Site, ctx: Context, path: string, scope: Scope): Promise<Answer<T>> {
  const answer = await site.sessions.call<T>(ctx, 'GET', path)
  if (!answer.ok) return answer
  return mayDo(site, ctx, scope) ? answer : { ok: false, refused: forbidden }
}

/** Whether a refusal is about the whole page, and not about a form on it: shown by `showUnread`. */
export const isUnread = ({ status }: Refused): boolean => [401, 403, 404].includes(status)

/** The key of a form that is shown. With it a second press of its button changes nothing. */
export const newFormKey = (): string => randomUUID()

/** Shorter than the API keeps a key, which is 24 hours. */
const questionMs = 23 * hourMs

/** The key of a question whether a form is meant, which is asked at `at`, in milliseconds since the epoch. */
export const newQuestionKey = (at: number): string => `${at}-${randomUUID()}`

/**
 * The key of the question that a form answers. Null if it answers none, or one that was asked so long ago that the API
 * would do the same once more: somebody may have gone back to its page. Then it is asked anew.
 */
export function questionKeyIn(form: URLSearchParams, now: number): string | null {
  const key = form.get('form_key')?.slice(0, 255) ?? null
  const askedAt = /^(\d{13})-/.exec(key ?? '')?.[1]
  return askedAt && now - Number(askedAt) > questionMs ? null : key
}

/** The idempotency key of the call that a form makes, from its input `form_key`. */
export const keyIn = (form: URLSearchParams): { key?: string } => {
  const key = form.get('form_key')
  return key ? { key: key.slice(0, 255) } : {}
}

/** Digits as a number. Any other text is sent as it was typed, and the API refuses it. */
export const numberOrText = (typed: string): number | string => (/^\d{1,9}$/.test(typed) ? Number(typed) : typed)

/** Whether a text is a decimal number that JSON can hold digit by digit. */
export const isDecimal = (text: string): boolean => /^\d{1,20}(\.\d{1,18})?$/.test(text)

/** What has become of the form before, by the word that the address has in `done`; null for any other word. */
export function noticeIn({ query }: Context, notices: Record<string, string>): string | null {
  const done = String(query['done'] ?? '')
  return Object.hasOwn(notices, done) ? (notices[done] ?? null) : null
}

/** The message of each field of the API, or the input of a page that it belongs to and its message. */
export type FieldWords = Partial<Record<string, string | readonly [input: string, words: string]>>

/** The whole message of each error code, or the input that it belongs to and its message. */
export type CodeWords = FieldWords

/** The words for a form whose key was sent before with other values; none for any other refusal. */
export const reusedWords = ({ errors }: Refused): CodeWords =>
  errors.some(({ code }) => code === 'idempotency_key_reused')
    ? { CONFLICT: 'This form was sent before with other values. Check below what it has done.' }
    : {}

/**
 * Why the API has refused a form, for people: at its inputs, and above them. What has no words here is told in the
 * API's own, so that nothing is left unsaid.
 */
export function refusedForm(refused: Refused, fields: FieldWords, codes: CodeWords = {}): FormResult {
  const { status, code, errors } = refused
  const words = codes[code]
  if (typeof words === 'string') return { status, errors: {}, problem: words }
  if (words) return { status, errors: { [words[0]]: words[1] }, problem: null }
  const marked: InputErrors = {}
  const others: string[] = []
  for (const { field, message } of errors) {
    const found = Object.hasOwn(fields, field) ? fields[field] : undefined
    if (found === undefined) others.push(`${field}: ${message}`)
    else if (typeof found === 'string') marked[field] ??= found
    else marked[found[0]] ??= found[1]
  }
  if (errors.length > 0) return { status, errors: marked, problem: others.length > 0 ? others.join(' ') : null }
  const isOurs = status >= 500 || status === 429 || refused.detail === undefined
  return isOurs ? formResultOf(refused) : { status, errors: {}, problem: refused.detail ?? null }
}
