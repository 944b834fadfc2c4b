import type { Static } from 'typebox'
import type { LatePaymentPolicy } from '../../domain/platform/account-settings.ts'
import type { FeeBearer } from '../../domain/refund.ts'
import type { OwnAccount } from '../../schemas/platform/own-account.ts'
import { typedText } from '../form.ts'
import { type FieldWords, numberOrText } from './board-form.ts'
import type { Fact } from './dashboard-lists.ts'
import { type Edits, editsOf } from '../opened-form.ts'

type Settings = Static<typeof OwnAccount>

const names = [
  'display_name',
  'support_email',
  'accent_color',
  'statement_text',
  'timezone',
  'dunning',
  'late_payment_policy',
  'refund_fee_bearer',
] as const
type Name = (typeof names)[number]

/** The settings as their form has them, each a text; empty where nothing is set. */
export type Typed = Record<Name, string>

/** What the form shows for the settings that are in force. */
export const typedOf = (settings: Settings): Typed => ({
  display_name: settings.display_name,
  support_email: settings.support_email ?? '',
  accent_color: settings.accent_color ?? '',
  statement_text: settings.statement_text ?? '',
  timezone: settings.timezone,
  dunning: settings.dunning.join(', '),
  late_payment_policy: settings.late_payment_policy,
  refund_fee_bearer: settings.refund_fee_bearer,
})

const typedIn = (form: URLSearchParams): Typed =>
  Object.fromEntries(names.map((name) => [name, typedText(form, name)])) as Typed

const cleared: readonly Name[] = ['display_name', 'support_email', 'accent_color', 'statement_text']

/** The pauses between the attempts of dunning, in days, as they were typed. */
const pausesIn = (text: string): string[] => text.split(/[\s,;]+/).filter(Boolean)

/** A value as the API takes it. What is no number is sent unchanged, and the API refuses it. */
function valueOf(name: Name, text: string): unknown {
  if (name === 'dunning') return pausesIn(text).map(numberOrText)
  return text === '' && cleared.includes(name) ? null : text
}

/** What somebody changes on the form, and what somebody else has changed meanwhile. */
export const editsIn = (form: URLSearchParams, settings: Settings): Edits<Name> =>
  editsOf(form, typedIn(form), typedOf(settings), {
    late_payment_policy: (code) => policyNames[code as LatePaymentPolicy],
    refund_fee_bearer: (code) => bearerNames[code as FeeBearer],
  })

/** The fields that somebody has changed on the form, as the API takes them. */
export const changesIn = ({ typed, changed }: Edits<Name>): Record<string, unknown> =>
  Object.fromEntries(changed.map((name) => [name, valueOf(name, typed[name])]))

const dunningWords = 'Enter 1 to 10 whole numbers of days from 1 to 60, such as 2, 5, 7, 7.'

/** What is wrong with each field. */
export const fieldWordsOf = ({ dunning }: Typed): FieldWords => ({
  display_name: 'Enter a name of at most 255 characters, in one line.',
  support_email: 'Enter an email address, such as help@example.com.',
  accent_color: 'Enter a color such as #1a73e8: a # and six digits or letters from a to f.',
  statement_text:
    'Enter 5 to 22 letters, digits, spaces and . , & -. Begin with a letter; end with a letter, a digit or a point.',
  timezone: 'Choose a time zone.',
  dunning: dunningWords,
  ...Object.fromEntries(pausesIn(dunning).map((_, index) => [`dunning.${index}`, ['dunning', dunningWords] as const])),
  late_payment_policy: 'Choose one of these.',
  refund_fee_bearer: 'Choose one of these.',
})

const policyNames: Record<LatePaymentPolicy, string> = {
  accept: 'Keep it: the sale counts as paid',
  refund: 'Send it back to the buyer',
}

const bearerNames: Record<FeeBearer, string> = {
  ORG: 'Your organization',
  CUSTOMER: 'The customer: it is deducted from the refund',
}

/** What the form offers to choose from. A time zone that has another name here is offered as it is. */
export const settingsChoices = (timezone: string) => ({
  timezones: [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone'), timezone])],
  policies: Object.entries(policyNames),
  bearers: Object.entries(bearerNames),
})

/** The settings for somebody who may only read them. */
export const factsAbout = (settings: Settings): Fact[] => [
  ['Name for buyers', settings.display_name],
  ['Support email', settings.support_email ?? 'None'],
  ['Color', settings.accent_color ?? 'None'],
  ['Card statements', settings.statement_text ?? 'Not set'],
  ['Time zone', settings.timezone],
  ['Failed charges are tried again after (days)', settings.dunning.join(', ')],
  ['Money that arrives late', policyNames[settings.late_payment_policy]],
  ['Who pays the fee of a refund', bearerNames[settings.refund_fee_bearer]],
]
