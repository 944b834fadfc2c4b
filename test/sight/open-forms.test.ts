import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PayoutDestination } from '../../db/payout/destination.ts'
import { fromAnywhere } from '../support/api.ts'
import { company, createAccount, readAccount } from '../support/connected-account.ts'
import { createLogins } from '../support/login.ts'
import { openPages } from '../support/pages.ts'
import { addDestination } from '../support/payout.ts'
import { getSchedule, setSchedule } from '../support/payout-schedule.ts'
import { changeDestination } from '../support/rows.ts'
import { useApi, useStack } from '../support/use-stack.ts'
import { atEnd } from '../support/use.ts'

// Forms that were opened before somebody else has changed the same thing, sent as a browser sends them.
const stack = await useStack({ workers: false })
const api = await useApi(stack)
const logins = createLogins(stack)
const pages = await openPages(stack)
atEnd(() => pages.stop())

type Fields = Record<string, string | string[]>

/** An organization, and the browser of its owner. */
async function openOrganization() {
  const { merchant, accountId } = await api.addMerchant()
  const session = await logins.logIn(await logins.addPerson({ role: 'owner', accountId }))
  const cookie = `dashboard_access=${session.access_token}; dashboard_refresh=${session.refresh_token}`
  const call = async (path: string, body: URLSearchParams | FormData | null = null) => {
    const answer = await fetch(`${pages.base}/dashboard${path}`, {
      redirect: 'manual',
      headers: { ...fromAnywhere(), cookie, 'sec-fetch-site': 'same-origin' },
      ...(body && { method: 'POST', body }),
    })
    return { status: answer.status, html: await answer.text() }
  }
  return { merchant, accountId, call }
}

/** What a page has in the input that says what its form was opened with. */
function openedIn(html: string): string {
  const [, value] = /name="opened_with" value="([^"]*)"/.exec(html) ?? []
  assert.ok(value, html)
  return value.replaceAll('&quot;', '"').replaceAll('&amp;', '&')
}

/** A form with these fields; of a list, each text is a field of this name. */
function filled<Form extends URLSearchParams | FormData>(form: Form, fields: Fields): Form {
  for (const [name, value] of Object.entries(fields)) for (const each of [value].flat()) form.append(name, each)
  return form
}

const errorAt = (html: string, input: string): string | null =>
  new RegExp(`id="${input}-error">([^<]*)<`).exec(html)?.[1] ?? null

test('a payout schedule that was stopped meanwhile is not started by a form that changes the minimum', async () => {
  const { call, ...payee } = await openOrganization()
  await setSchedule(payee, 'NGN', { interval: 'weekly', weekly_payout_days: ['monday'], anchor_hour_utc: 9 })
  const opened_with = openedIn((await call('/schedule/NGN')).html)
  await setSchedule(payee, 'NGN', { interval: 'manual', weekly_payout_days: [] })
  const shown = { interval: 'weekly', weekly: ['monday'], monthly: '', hour: '9' }
  const saved = await call('/schedule/NGN', filled(new URLSearchParams(), { ...shown, minimum: '5000', opened_with }))
  assert.equal(saved.status, 303, saved.html)
  const { interval, minimum_amount: minimum, next_run_at: next } = await getSchedule(payee, 'NGN')
  assert.deepEqual([interval, minimum, next], ['manual', '5000.00', null])
})

test('of two people who change the days of a payout schedule, the later one is told and decides', async () => {
  const { call, ...payee } = await openOrganization()
  await setSchedule(payee, 'NGN', { interval: 'weekly', weekly_payout_days: ['monday'], anchor_hour_utc: 9 })
  const typed = { interval: 'weekly', weekly: ['monday', 'thursday'], monthly: '', minimum: '' }
  const send = (hour: string, opened_with: string) =>
    call('/schedule/NGN', filled(new URLSearchParams(), { ...typed, hour, opened_with }))
  const opened = openedIn((await call('/schedule/NGN')).html)
  await setSchedule(payee, 'NGN', { interval: 'weekly', weekly_payout_days: ['friday', 'tuesday'], anchor_hour_utc: 4 })
  const told = await send('9', opened)
  assert.equal(told.status, 409)
  assert.match(errorAt(told.html, 'weekly') ?? '', /Somebody else has changed this meanwhile to “Tuesday, Friday”/)
  assert.match(told.html, /value="thursday"\s+checked/)
  assert.match(told.html, /value="4"\s+selected/)
  assert.deepEqual((await getSchedule(payee, 'NGN'))['weekly_payout_days'], ['tuesday', 'friday'])
  assert.equal((await send('4', openedIn(told.html))).status, 303)
  const { weekly_payout_days: days, anchor_hour_utc: hour } = await getSchedule(payee, 'NGN')
  assert.deepEqual([days, hour], [['monday', 'thursday'], 4])
})

test('of two people who change the interval and the days of a payout schedule, the later one is told', async () => {
  const { call, ...payee } = await openOrganization()
  await setSchedule(payee, 'NGN', { interval: 'weekly', weekly_payout_days: ['monday'], anchor_hour_utc: 9 })
  const typed = { interval: 'weekly', weekly: ['monday', 'thursday'], monthly: '', hour: '9', minimum: '' }
  const send = (opened_with: string) => call('/schedule/NGN', filled(new URLSearchParams(), { ...typed, opened_with }))
  const opened = openedIn((await call('/schedule/NGN')).html)
  await setSchedule(payee, 'NGN', { interval: 'monthly', weekly_payout_days: [], monthly_payout_days: [1] })
  const told = await send(opened)
  assert.equal(told.status, 409)
  assert.match(
    errorAt(told.html, 'interval') ?? '',
    /Somebody else has changed this meanwhile to “On days of the month”/,
  )
  assert.match(told.html, /value="weekly"\s+checked/)
  assert.match(told.html, /value="thursday"\s+checked/)
  assert.equal((await getSchedule(payee, 'NGN')).interval, 'monthly')
  assert.equal((await send(openedIn(told.html))).status, 303)
  const { interval, weekly_payout_days: days, monthly_payout_days: ofMonth } = await getSchedule(payee, 'NGN')
  assert.deepEqual([interval, days, ofMonth ?? []], ['weekly', ['monday', 'thursday'], []])
})

test('a bank account is never mixed of the bank and the number that two people have given', async () => {
  const { call, accountId } = await openOrganization()
  const id = await addDestination(stack, { accountId, environment: 'sandbox' })
  const stored = async () => {
    const row = await stack.database.orm.em.fork().findOneOrFail(PayoutDestination, { id })
    return [row.bankCode, row.accountNumber]
  }
  const path = `/destinations/${id}/edit`
  const typed = { name: 'Our own', bank_code: '058', account_number: '0123450008', account_name: 'Marked Holder' }
  const send = (opened_with: string, step: string) =>
    call(path, filled(new URLSearchParams(), { ...typed, opened_with, step }))
  const opened = openedIn((await call(path)).html)
  await changeDestination(stack, id, { bankCode: '044' })
  const told = await send(opened, '')
  assert.equal(told.status, 409, told.html)
  assert.match(errorAt(told.html, 'bank_code') ?? '', /Somebody else has changed this meanwhile to “Access Bank”/)
  assert.match(told.html, /value="058"\s+selected/)
  const asked = await send(openedIn(told.html), '')
  assert.match(asked.html, /Bank, now<.*\s*.*Access Bank[^]*Account number, new<.*\s*.*0123450008/)
  assert.deepEqual(await stored(), ['044', '9128340001'])
  assert.equal((await send(openedIn(asked.html), 'send')).status, 303)
  assert.deepEqual(await stored(), ['058', '0123450008'])
})

test('the question of a changed account number says of which bank it is', async () => {
  const { call, accountId } = await openOrganization()
  const path = `/destinations/${await addDestination(stack, { accountId, environment: 'sandbox' })}/edit`
  const opened_with = openedIn((await call(path)).html)
  const typed = { name: 'Our own', bank_code: '058', account_number: '0123450008', account_name: 'Marked Holder' }
  const { html } = await call(path, filled(new URLSearchParams(), { ...typed, opened_with }))
  assert.match(html, /<dt>Bank<\/dt><dd>Guaranty Trust Bank</)
  assert.match(html, /<dt>Account number, new<\/dt><dd>0123450008/)
  assert.match(html, /<dt>Account holder<\/dt><dd>Marked Holder/)
})

const lagos = { line1: '12 Marina Road', line2: '', city: 'Lagos', state: '', postal_code: '101241', country: 'NG' }
const abuja = { line1: '1 Broad Street', city: 'Abuja', country: 'NG' }

test('an address of a customer is never mixed of the parts that two people have typed', async () => {
  const { call, merchant } = await openOrganization()
  const sent = { email: 'moved@example.com', billing_address: { ...lagos, line2: null, state: null } }
  const { body: made } = await merchant.call('POST', '/v1/customers', sent)
  const path = `/customers/${made['customer_id']}/edit`
  const address = async () =>
    (await merchant.call('GET', `/v1/customers/${made['customer_id']}`)).body['billing_address']
  const send = (opened_with: string) =>
    call(path, filled(new FormData(), { ...lagos, name: '', phone_number: '', line2: 'Flat 4', opened_with }))
  const opened = openedIn((await call(path)).html)
  await merchant.call('PATCH', `/v1/customers/${made['customer_id']}`, { billing_address: abuja })
  const told = await send(opened)
  assert.equal(told.status, 409)
  assert.match(errorAt(told.html, 'city') ?? '', /Somebody else has changed this meanwhile to “Abuja”/)
  assert.equal(errorAt(told.html, 'line2'), null)
  assert.match(told.html, /name="city"[^>]* value="Lagos"/)
  assert.partialDeepStrictEqual(await address(), { ...abuja, line2: null })
  assert.equal((await send(openedIn(told.html))).status, 303)
  assert.partialDeepStrictEqual(await address(), { ...lagos, line2: 'Flat 4', state: null })
})

test('an address in the onboarding is never mixed of the parts that were typed in two tabs', async () => {
  const { merchant } = stack
  const { account_id: id } = await createAccount(merchant, {
    company: { name: company.name, address: company.address },
  })
  const urls = { return_url: 'https://example.com/done', refresh_url: 'https://example.com/new' }
  const { body: link } = await merchant.call('POST', `/v1/accounts/${id}/onboarding-link`, urls)
  const token = String(link['url']).split('/').at(-1) ?? ''
  const headers = { ...fromAnywhere(), cookie: `onboarding_token=${token}`, 'sec-fetch-site': 'same-origin' }
  const call = async (form: URLSearchParams | null = null) => {
    const init = { redirect: 'manual', headers, ...(form && { method: 'POST', body: form }) } as const
    const answer = await fetch(`${pages.base}/onboarding/company`, init)
    return { status: answer.status, html: await answer.text() }
  }
  const address = async () => ((await readAccount(merchant, id))['company'] as Record<string, unknown>)['address']
  const { country: address_country, ...parts } = lagos
  const typed = { ...parts, address_country, company_name: company.name, registration_number: '', tax_id: '' }
  const about = token.split('_secret_')[0] ?? ''
  const send = (opened_with: string) =>
    call(filled(new URLSearchParams(), { ...typed, line2: 'Flat 4', about, opened_with }))
  const opened = openedIn((await call()).html)
  const moved = { ...company.address, line1: '1 Broad Street', city: 'Abuja' }
  await merchant.call('PATCH', `/v1/accounts/${id}`, { company: { address: moved } })
  const told = await send(opened)
  assert.match(errorAt(told.html, 'city') ?? '', /This was changed in another tab to “Abuja” meanwhile/)
  assert.partialDeepStrictEqual(await address(), { ...moved, line2: null })
  await send(openedIn(told.html))
  assert.partialDeepStrictEqual(await address(), { ...company.address, line2: 'Flat 4' })
})
