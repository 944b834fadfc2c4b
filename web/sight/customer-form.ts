import { iso31661Alpha2ToAlpha3 } from 'iso-3166/1-a2-to-1-a3.js'
import type { Context } from 'koa'
import type { Static } from 'typebox'
import { recordOf } from '../../domain/narrow.ts'
import type { Customer } from '../../schemas/customer.ts'
import type { Refused } from '../api.ts'
import type { FormResult, InputErrors } from '../form-result.ts'
import { withoutPhoneMarks } from '../checkout/phone.ts'
import { typedText } from '../form.ts'
import { countriesOf } from '../platform/onboarding-person-fields.ts'
import { countryName } from '../platform/requirement-words.ts'
import { goTo, pageOf, type Site } from '../site.ts'
import { forbidden, isUnread, keyIn, mayDo, newFormKey, readAllowed, refusedForm } from './board-form.ts'
import { idIn, showUnread } from './dashboard-lists.ts'
import { editsOf, openedWith } from '../opened-form.ts'
import { keyAfter, notSaved, sameKey } from './edit-form.ts'
import { type MetadataForm, metadataForm, metadataIn } from './metadata-form.ts'

export type ShownCustomer = Static<typeof Customer>

const addressParts = ['line1', 'line2', 'city', 'state', 'postal_code', 'country'] as const
const detailNames = ['name', 'phone_number', ...addressParts] as const
type DetailName = (typeof detailNames)[number]
/** What can be changed of a customer, as texts. The email of a customer never changes. */
type Details = Record<DetailName, string>

type Shown = Partial<FormResult> & { typed: Details; metadata: MetadataForm; email: string; formKey?: string }

const detailsIn = (form: URLSearchParams): Details => recordOf(detailNames, (name) => typedText(form, name))

const detailsOf = ({ name, phone_number: phone, billing_address: address }: ShownCustomer): Details => ({
  name: name ?? '',
  phone_number: phone ?? '',
  ...recordOf(addressParts, (part) => address?.[part] ?? ''),
})

const noDetails: Details = recordOf(detailNames, () => '')

/** The API's fields for these details. The parts of an address are replaced together, and without any it is cleared. */
function detailsBody(typed: Details, names: readonly DetailName[]) {
  const isPart = (name: DetailName) => addressParts.some((part) => part === name)
  const address = recordOf(addressParts, (part) => typed[part] || null)
  const isEmpty = Object.values(address).every((part) => part === null)
  return {
    ...(names.includes('name') && { name: typed.name }),
    ...(names.includes('phone_number') && { phone_number: withoutPhoneMarks(typed.phone_number) }),
    ...(names.some(isPart) && { billing_address: isEmpty ? null : address }),
  }
}

const phoneWords = 'Enter the number with its country code, such as +234 802 345 6789.'
const words = {
  name: 'Enter a name: one line of at most 255 characters.',
  phone_number: phoneWords,
  'billing_address.line1': ['line1', 'Enter the first line of the address, of at most 255 characters.'],
  'billing_address.line2': ['line2', 'Enter one line of at most 255 characters.'],
  'billing_address.city': ['city', 'Enter one line of at most 255 characters.'],
  'billing_address.state': ['state', 'Enter one line of at most 255 characters.'],
  'billing_address.postal_code': ['postal_code', 'Enter one line of at most 255 characters.'],
  'billing_address.country': ['country', 'Choose the country of the address.'],
} as const

/** `/dashboard/customers/new`, and `/{id}/edit`, which saves what a person has changed and nothing else. */
export function addCustomerForms(site: Site, folder: string): void {
  const { home, sessions, read, submitFile, show } = site
  const at = folder.slice(home.length)
  const pageOfId = (ctx: Context) => `${folder}/${idIn(ctx)}`

  function showForm(ctx: Context, customer: ShownCustomer | null, shown: Shown): void {
    const data = {
      isSignedIn: true,
      at,
      folder,
      path: customer && `${folder}/${customer.customer_id}`,
      heading: customer && (customer.name ?? customer.email),
      opened: openedWith(customer ? detailsOf(customer) : noDetails),
      formKey: newFormKey(),
      countries,
      ...shown,
    }
    show(ctx, pageOf('dashboard/customer-form', customer ? 'Change a customer' : 'New customer', data, shown.status))
  }

  read(`${at}/new`, (ctx) => {
    if (!mayDo(site, ctx, 'customers:write')) return showUnread(site, ctx, forbidden)
    showForm(ctx, null, { email: '', typed: noDetails, metadata: metadataForm({}) })
  })

  submitFile(`${at}/new`, 0, async (ctx, { fields: form }) => {
    const metadata = metadataIn(form, {})
    const email = typedText(form, 'email')
    const typed = detailsIn(form)
    const shown = { email, typed, metadata: metadata.form }
    const { errors } = metadata
    const unfit = { ...notSaved({ errors, problem: null, status: 422 }), formKey: sameKey(form) }
    if (Object.keys(errors).length > 0) return showForm(ctx, null, { ...shown, ...unfit })
    const given = detailNames.filter((name) => typed[name] !== '')
    const body = { email, ...detailsBody(typed, given), metadata: metadata.sent }
    const made = await sessions.call<ShownCustomer>(ctx, 'POST', '/v1/customers', body, keyIn(form))
    if (made.ok) return goTo(ctx, `${folder}/${made.body.customer_id}?done=created`)
    if (isUnread(made.refused)) return showUnread(site, ctx, made.refused)
    const ofEmail = { email: 'Enter an email address, such as ada@example.com.' }
    const all = { ...metadata.words, ...words, ...ofEmail }
    const result = notSaved(refusedForm(made.refused, all, conflictIn(made.refused)))
    showForm(ctx, null, { ...shown, ...result, formKey: keyAfter(form, result.status) })
  })

  const readToChange = (ctx: Context) =>
    readAllowed<ShownCustomer>(site, ctx, `/v1/customers/${idIn(ctx)}`, 'customers:write')

  read(`${at}/:id/edit`, async (ctx) => {
    const answer = await readToChange(ctx)
    if (!answer.ok) return showUnread(site, ctx, answer.refused)
    const customer = answer.body
    const metadata = metadataForm(customer.metadata)
    showForm(ctx, customer, { email: customer.email, typed: detailsOf(customer), metadata })
  })

  submitFile(`${at}/:id/edit`, 0, async (ctx, { fields: form }) => {
    const answer = await readToChange(ctx)
    if (!answer.ok) return showUnread(site, ctx, answer.refused)
    const customer = answer.body
    const { typed, changed, errors } = editsOf(form, detailsIn(form), detailsOf(customer), { country }, addressParts)
    const metadata = metadataIn(form, customer.metadata)
    const shown = { email: customer.email, typed, metadata: metadata.form }
    const marked = { ...errors, ...clearedIn(typed, changed), ...metadata.errors }
    if (Object.keys(marked).length > 0)
      return showForm(ctx, customer, { ...shown, ...notSaved({ errors: marked, problem: null, status: 409 }) })
    const isSent = Object.keys(metadata.sent).length > 0
    const body = { ...detailsBody(typed, changed), ...(isSent && { metadata: metadata.sent }) }
    if (Object.keys(body).length === 0) return goTo(ctx, pageOfId(ctx))
    const path = `/v1/customers/${idIn(ctx)}`
    const saved = await sessions.call<ShownCustomer>(ctx, 'PATCH', path, body, keyIn(form))
    if (saved.ok) return goTo(ctx, `${pageOfId(ctx)}?done=saved`)
    if (isUnread(saved.refused)) return showUnread(site, ctx, saved.refused)
    const result = refusedForm(saved.refused, { ...metadata.words, ...words })
    showForm(ctx, customer, { ...shown, ...notSaved(result) })
  })
}

/** The name of a country; none has none. */
const country = (code: string): string => code && countryName(code)

const countries = countriesOf(Object.keys(iso31661Alpha2ToAlpha3))

/** A customer with this email, or a form that was sent before with other values. */
const conflictIn = ({ errors }: Refused) =>
  errors.some(({ field }) => field === 'email')
    ? { CONFLICT: ['email', 'There is a customer with this email already.'] as const }
    : { CONFLICT: 'This form was sent before with other values. Look at your customers before you go on.' }

/** The API replaces a name and a phone number, and clears neither. */
function clearedIn(typed: Details, changed: readonly DetailName[]): InputErrors {
  const isCleared = (name: DetailName) => changed.includes(name) && typed[name] === ''
  return {
    ...(isCleared('name') && { name: 'A name can be replaced, but not removed.' }),
    ...(isCleared('phone_number') && { phone_number: 'A phone number can be replaced, but not removed.' }),
  }
}
