import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { completeAccount, createAccount, forStaff, readAccount } from '../support/connected-account.ts'
import { follow, heading, press, says, sizes, tokenOf, useSellers } from '../support/onboarding.ts'
import { pdf } from '../support/upload.ts'
import { useStack } from '../support/use-stack.ts'

// The token is the only right: what it opens, when it ends, and who cannot use it.
const stack = await useStack({ invariants: 'at the end' })
const { merchant } = stack
const logs: string[] = []
const logger = pino({ level: 'trace' }, { write: (line) => void logs.push(line) })
const sellers = await useSellers({ ...stack, services: { ...stack.services, logger } })
const { pages } = sellers
const home = `${pages.base}/onboarding`

const expire = (id: string) =>
  stack.sql(`update onboarding_sessions set expires_at = now() - interval '1 second' where account_id = ?`, [id])

/** Sends a form as a browser does that holds the cookie, from a page of this site. */
const post = (path: string, token: string, site: string, form: Record<string, string>) =>
  fetch(home + path, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie: `onboarding_token=${token}`, 'sec-fetch-site': site, 'x-forwarded-for': '192.0.2.200' },
    body: new URLSearchParams(form),
  })

test('a link from another site opens the page, and the token is in no later address, Referer or log', async () => {
  const { account_id: id } = await createAccount(merchant)
  const url = await sellers.linkTo(id)
  const context = await sellers.browser.newContext({ javaScriptEnabled: false, viewport: sizes.phone })
  const page = await context.newPage()
  const referers: string[] = []
  page.on('request', (request) => void referers.push(request.headers()['referer'] ?? ''))
  await page.goto(sellers.siteUrl)
  await page.setContent(`<a href="${url}">Go on</a>`)
  await page.getByRole('link').click()
  await heading(page, /^Set up your account with/)
  assert.equal(page.url(), home)
  const answer = await page.reload()
  const policy = answer?.headers()['content-security-policy'] ?? ''
  assert.match(policy, /default-src 'none'/)
  assert.match(policy, /form-action 'self'/)
  assert.match(policy, /frame-ancestors 'none'/)
  assert.equal(answer?.headers()['cache-control'], 'no-store')
  await follow(page, /^back to/)
  await heading(page, 'The platform: done')
  assert.doesNotMatch(referers.join(), /_secret_/)
  const [cookie] = await context.cookies(home)
  assert.partialDeepStrictEqual(cookie, { httpOnly: true, sameSite: 'Strict', path: '/onboarding' })
  await context.close()
})

test('a link that has expired, or was finished, leads to where the seller gets a new one', async () => {
  const { account_id: id } = await createAccount(merchant)
  await sellers.visit(id, async ({ page, url }) => {
    await follow(page, 'Your business')
    await page.getByLabel('Name that buyers see').fill('Too late')
    await expire(id)
    await press(page, 'Save and continue')
    await heading(page, 'This page has expired')
    await follow(page, 'Get a new link')
    await heading(page, 'The platform: new link')
    await page.goto(url)
    await heading(page, 'The platform: new link')
    await page.goto(await sellers.linkTo(id))
    await heading(page, /^Set up/)
    await expire(id)
    await page.goto(home)
    await heading(page, 'The platform: new link')
  })
  const { account_id: done } = await completeAccount(merchant, forStaff)
  await sellers.visit(done, async ({ page, url }) => {
    await heading(page, 'We are checking your details')
    await press(page, /^Finish and go back/)
    await heading(page, 'You can close this page')
    assert.deepEqual(await page.context().cookies(home), [])
    await page.goto(url)
    await heading(page, 'The platform: new link')
  })
  assert.doesNotMatch(JSON.stringify(await readAccount(merchant, id)), /Too late/)
})

test('a forged token opens nothing and leads nowhere', async () => {
  const { account_id: id } = await createAccount(merchant)
  const token = tokenOf(await sellers.linkTo(id))
  const [session = ''] = token.split('_secret_')
  // A token may end with any of 64 characters, `_` too.
  const another = token.endsWith('_') ? '-' : '_'
  for (const forged of [`${token.slice(0, -1)}${another}`, `${session}_secret_${'x'.repeat(32)}`, 'os_x', session]) {
    const answer = await fetch(`${home}/${forged}`, { redirect: 'manual' })
    assert.equal(answer.status, 410, forged)
    assert.equal(answer.headers.get('set-cookie'), null)
    assert.match(await answer.text(), /This page has expired/)
  }
  assert.equal((await fetch(`${home}/nonsense`)).status, 404)
})

test('the page of one account shows and changes nothing of another account', async () => {
  const own = await completeAccount(merchant, forStaff)
  const other = await completeAccount(merchant, forStaff)
  const stranger = String(other.persons[0]?.person_id)
  await sellers.visit(own.account_id, async ({ page, url }) => {
    await page.goto(`${home}/people/${stranger}`)
    await page.waitForURL(`${home}/people`)
    const token = tokenOf(url)
    const form = { about: token.split('_secret_')[0] ?? '', form_key: 'a-key', first_name: 'Changed' }
    for (const path of [`/people/${stranger}`, `/people/${stranger}/remove`]) {
      const answer = await post(path, token, 'same-origin', form)
      assert.equal(answer.status, 303, path)
    }
  })
  const persons = await merchant.call('GET', `/v1/accounts/${other.account_id}/persons`)
  assert.doesNotMatch(persons.text, /Changed/)
  assert.equal((await readAccount(merchant, other.account_id)).persons.length, 1)
})

test('a form of another site, or of an older link in the same browser, changes nothing', async () => {
  const [one, other] = [await createAccount(merchant), await createAccount(merchant)]
  const token = tokenOf(await sellers.linkTo(one.account_id))
  const about = token.split('_secret_')[0] ?? ''
  const form = { about, form_key: 'a-key', name: 'Changed', email: 'changed@example.com' }
  for (const [site, sent] of [
    ['cross-site', form],
    ['same-site', form],
    ['none', form],
    ['same-origin', { ...form, about: 'os_another' }],
  ] as const) {
    const answer = await post('/business', token, site, sent)
    assert.equal(answer.status, 403, site)
    assert.match(await answer.text(), /Nothing was changed/)
  }
  const body = new FormData()
  body.append('about', about)
  body.append('file', new Blob([new Uint8Array(pdf)]), 'a.pdf')
  const headers = { cookie: `onboarding_token=${token}`, 'sec-fetch-site': 'cross-site' }
  const path = `${home}/documents/company-certificate-of-incorporation`
  assert.equal((await fetch(path, { method: 'POST', headers, body })).status, 403)
  assert.deepEqual(await stack.sql('select from uploads where account_id = ?', [one.account_id]), [])
  await sellers.visit(one.account_id, async ({ page }) => {
    await follow(page, 'Your business')
    await page.getByLabel('Name that buyers see').fill('Changed')
    const second = await page.context().newPage()
    await second.goto(await sellers.linkTo(other.account_id))
    await heading(second, /^Set up/)
    await press(page, 'Save and continue')
    await heading(page, 'Nothing was changed')
  })
  for (const { account_id: id } of [one, other]) {
    assert.doesNotMatch(JSON.stringify(await readAccount(merchant, id)), /[Cc]hanged/)
  }
})

test('names with markup, of the platform too, are shown as text', async () => {
  const name = '"><script>alert(1)</script> & Söhne'
  const saved = await merchant.call('PATCH', '/v1/account', { display_name: name, accent_color: '#aa0000' })
  assert.equal(saved.status, 200, saved.text)
  const representative = { first_name: '<img src=x onerror=alert(1)>', last_name: '"O’Obi"' }
  const { account_id: id } = await completeAccount(merchant, { ...forStaff, representative })
  await sellers.visit(
    id,
    async ({ page }) => {
      await says(page, /^If something is missing or unclear/)
      for (const path of ['/person', '/people', '/documents', '/review', '']) {
        await page.goto(home + path)
        await page.getByText(name).first().waitFor()
        assert.equal(await page.locator('main img, main script').count(), 0, path)
      }
      assert.equal(await page.locator('meta[name=theme-color]').getAttribute('content'), '#aa0000')
    },
    { script: true },
  )
})

test('the logs name no person, no number, no file and no token', async () => {
  const { account_id: id } = await createAccount(merchant)
  const url = await sellers.linkTo(id)
  await sellers.visit(
    id,
    async ({ page }) => {
      await page.getByLabel('Your first name').fill('Marked-Ada')
      await page.getByLabel('Phone number').fill('+2348029998877')
      await page.getByLabel('Number of your identity document').fill('99887766554')
      await press(page, 'Save and continue')
      await says(page, 'Provided, ends in 6554.')
      await page.goto(`${home}/documents`)
      const form = page.getByRole('region', { name: /^Your identity document/ })
      await form
        .getByLabel(/[Pp]hoto or file/)
        .setInputFiles({ name: 'marked.pdf', mimeType: 'application/pdf', buffer: pdf })
      await form.getByRole('button', { name: /^Send/ }).click()
      await says(page, 'You have sent marked.pdf.')
    },
    { path: '/person' },
  )
  const text = logs.join('')
  assert.ok(text.includes('/v1/accounts/:account_id/persons') && text.includes('/onboarding/person'))
  const personal = ['arked', '2348029998877', '99887766554', '_secret_']
  assert.deepEqual(
    personal.filter((mark) => text.includes(mark)),
    [],
  )
  assert.ok(!text.includes(tokenOf(url)))
})
