import type { Refused } from './api.ts'

/** The error of each input, by its name. */
export type InputErrors = Partial<Record<string, string>>

/** The errors of a refused form: at its inputs, and above them. */
export type FormResult = { status: number; errors: InputErrors; problem: string | null }

export const noFormResult: FormResult = { status: 200, errors: {}, problem: null }

/** The API's fields: the input of each, and the message if it is wrong. */
const fields: Record<string, [string, string]> = {
  email: ['email', 'Enter an email address, such as ada@example.com.'],
  password: ['password', 'Enter your password. It has at least 8 characters.'],
  code: ['code', 'Enter the code. It has 4 to 32 characters.'],
  decision: ['decision', 'Choose approve or reject.'],
  reason: ['reason', 'Enter a reason of at most 500 characters. It is kept with your name.'],
  proof_ref: ['proof_ref', 'Enter where the proof is, in at most 255 characters.'],
}

/** Refusals that are about one input. */
const ofInput: Record<string, [string, string]> = {
  INVALID_CREDENTIALS: ['password', 'The email or password is incorrect.'],
  INVALID_CODE: ['code', 'This code is incorrect, already used or expired. Enter the latest code, or start over.'],
}

const problems: Problems = {
  ACCOUNT_LOCKED: 'Too many failed attempts, so this email is locked. Try again in a few hours.',
  EMAIL_NOT_VERIFIED: 'This email address is not verified. Ask whoever runs this service.',
  INVALID_LOGIN_TOKEN: 'This took too long. Please try again.',
}

/** A site's own messages for error codes. */
export type Problems = Partial<Record<string, string>>

/** Turns a refusal into messages for people, as the API's own are for programs. `own` are the site's messages. */
export function formResultOf({ status, code, errors, waitSeconds }: Refused, own: Problems = {}): FormResult {
  const found: InputErrors = {}
  for (const [input, words] of [ofInput[code], ...errors.map(({ field }) => fields[field])].flatMap(some)) {
    found[input] ??= words
  }
  const isMarked = Object.keys(found).length > 0
  return { status, errors: found, problem: isMarked ? null : (own[code] ?? problems[code] ?? later(code, waitSeconds)) }
}

const some = <T>(value: T | undefined): T[] => (value === undefined ? [] : [value])

function later(code: string, waitSeconds: number | null): string {
  if (code !== 'TOO_MANY_REQUESTS') return 'Something went wrong on our side. Please try again in a moment.'
  return `Too many attempts. Try again in ${duration(waitSeconds ?? 60)}.`
}

function duration(seconds: number): string {
  if (seconds > 90) return `${Math.ceil(seconds / 60)} minutes`
  return seconds > 45 ? 'a minute' : seconds === 1 ? 'a second' : `${seconds} seconds`
}
