import { methods } from '../../domain/corridor.ts'
import { recordOf } from '../../domain/narrow.ts'
import { typedText } from '../form.ts'
import { methodName } from '../names.ts'
import { numberOrText } from './board-form.ts'
import { withPlainBreaks } from '../opened-form.ts'
import { methodOptionsOf, methodsIn, methodsOf, type ShownLink } from './payment-link-words.ts'

/** What of a link can be changed as long as it exists, in the order of the form. */
const settingNames = [
  'name',
  'success_url',
  'methods',
  'customer_creation',
  'max_completions',
  'expires_at',
  'inactive_message',
] as const
type SettingName = (typeof settingNames)[number]

/** The settings as texts. `methods` are names with commas, and `expires_at` is a time in UTC without its zone. */
export type Settings = Record<SettingName, string>

/** The settings in a form. */
export const settingsIn = (form: URLSearchParams): Settings => ({
  name: typedText(form, 'name'),
  success_url: typedText(form, 'success_url'),
  methods: methodsIn(form.getAll('methods')),
  customer_creation: form.get('customer_creation') === 'always' ? 'always' : 'if_required',
  max_completions: typedText(form, 'max_completions'),
  expires_at: typedText(form, 'expires_at'),
  inactive_message: withPlainBreaks(typedText(form, 'inactive_message')),
})

export const settingsOf = (link: ShownLink): Settings => ({
  name: link.name,
  success_url: link.success_url,
  methods: methodsOf(link),
  customer_creation: link.customer_creation,
  max_completions: link.max_completions === null ? '' : String(link.max_completions),
  expires_at: link.expires_at?.slice(0, 16) ?? '',
  inactive_message: link.inactive_message ?? '',
})

/** The API's fields for these settings. A text that is no number or time is sent as it is, and the API refuses it. */
export function settingsBody(typed: Settings, names: readonly SettingName[], link: ShownLink | null) {
  const { max_completions: most, expires_at: expires } = typed
  const fields = {
    name: { name: typed.name },
    success_url: { success_url: typed.success_url },
    methods: { payment_method_options: methodOptionsOf(typed.methods, link?.payment_method_options ?? null) },
    customer_creation: { customer_creation: typed.customer_creation },
    max_completions: { max_completions: most === '' ? null : numberOrText(most) },
    expires_at: { expires_at: expires === '' ? null : momentOrText(expires) },
    inactive_message: { inactive_message: typed.inactive_message || null },
  }
  return Object.assign({}, ...names.map((name) => fields[name])) as object
}

/** The moment of a browser's field for a time, which is in UTC here. */
const momentOrText = (typed: string): string => (/^[-\d]{10}T[\d:]{5}$/.test(typed) ? `${typed}:00Z` : typed)

/** Which settings a new link has: all of them. */
export const newSettings = (typed: Settings): object => settingsBody(typed, settingNames, null)

/** The words of the API's errors in the settings. */
export const settingWords = {
  name: 'Enter a name: one line of at most 255 characters.',
  success_url: 'Enter the full address of a page, such as https://example.com/thanks.',
  payment_method_options: ['methods', 'Choose among these payment methods.'],
  customer_creation: 'Choose one of these.',
  max_completions: 'Enter a whole number from 1 to 1,000,000. It cannot be less than what is sold already.',
  expires_at: 'Enter a time in the future.',
  inactive_message: 'Enter at most 500 characters.',
} as const

export const settingCodes = {
  CHECKOUT_RESTRICTION_LEAVES_NO_PAYMENT_METHOD: [
    'methods',
    'Nobody could pay with these alone. Choose another one, or none for all of them.',
  ],
} as const

/** The data of the settings in the form. */
export const settingsForm = (typed: Settings) => ({
  typed,
  methods: methods.map((method) => ({
    value: method,
    name: methodName(method),
    isChosen: typed.methods.split(',').includes(method),
  })),
})

/** The settings of a new link, before anything is typed. */
export const noSettings: Settings = { ...recordOf(settingNames, () => ''), customer_creation: 'if_required' }
