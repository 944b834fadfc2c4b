import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromAnywhere } from '../support/api.ts'
import { createLogins } from '../support/login.ts'
import { openPages } from '../support/pages.ts'
import { getSchedule, setSchedule } from '../support/payout-schedule.ts'
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
