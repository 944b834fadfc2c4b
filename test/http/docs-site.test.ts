import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { after, test } from 'node:test'
import { errorCodes } from '../../domain/refusal.ts'
import { eventTypes } from '../../domain/webhook/event.ts'
import { ROOT } from '../../scripts/infra/paths.ts'
import { openPages } from '../support/pages.ts'
import { useStack } from '../support/use-stack.ts'

const stack = await useStack({ workers: false })
const pages = await openPages(stack)
after(() => pages.stop())

const html = { accept: 'text/html' }
const read = (path: string, headers: Record<string, string> = html) => fetch(pages.base + path, { headers })
const textOf = async (path: string) => (await read(path)).text()

const linksIn = (page: string) => [...page.matchAll(/ (?:href|src)="([^"]+)"/g)].map(([, href = '']) => unescaped(href))
const idsIn = (page: string) => new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => unescaped(id)))
const unescaped = (text: string) => text.replaceAll('&amp;', '&').replaceAll('&#39;', "'").replaceAll('&quot;', '"')

/** Every page that links lead to from `/` and `/docs`, below `/docs` and beside it. */
async function walk(): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  const waiting = ['/', '/docs']
  for (const path of waiting) {
    if (found.has(path)) continue
    const answer = await read(path)
    assert.equal(answer.status, 200, `${path} is linked, and answers ${answer.status}`)
    const text = await answer.text()
    found.set(path, text)
    if (!/^(\/|\/docs(\/.*)?)$/.test(path) || !answer.headers.get('content-type')?.includes('html')) continue
    const onward = linksIn(text).filter((href) => href.startsWith('/') && !/^\/(dashboard|ops)\b/.test(href))
    waiting.push(...onward.map((href) => href.replace(/#.*/, '')))
  }
  return found
}

const walked = await walk()
const docs = [...walked].filter(([path]) => path.startsWith('/docs') && !/\.(md|json|png(\?.*)?)$/.test(path))

test('every file of the documentation is a page that links lead to, and its Markdown is served beside it', async () => {
  const files = globSync('docs/**/*.md', { cwd: ROOT })
  assert.ok(files.length > 80)
  for (const file of files) {
    const path = `/${file.replace(/\.md$/, '').replace(/\/README$/, '')}`
    assert.ok(walked.has(path), `nothing leads to ${path}`)
    const raw = await read(`/${file}`)
    assert.equal(raw.status, 200, file)
    assert.match(raw.headers.get('content-type') ?? '', /^text\/markdown/)
  }
  assert.match(await textOf('/docs/changes.md'), /^# /)
})

test('no link is dead: every address answers, and every anchor is on its page', () => {
  const dead = docs.flatMap(([path, text]) =>
    linksIn(text)
      .filter((href) => !/^(https?:|mailto:)/.test(href) && !isAlive(path, href))
      .map((href) => `${path}: ${href}`),
  )
  assert.deepEqual(dead, [])
})

function isAlive(from: string, href: string): boolean {
  const [path, anchor] = href.split('#')
  const page = walked.get(path || from)
  if (page === undefined) return /^\/(dashboard|ops)\b/.test(href)
  return anchor === undefined || anchor === 'content' || idsIn(page).has(decodeURIComponent(anchor))
}

test('a page has one title, no heading or field with the id of another, and no Markdown that was not rendered', () => {
  for (const [path, text] of docs) {
    assert.equal(text.match(/<h1/g)?.length, 1, path)
    const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
    assert.equal(new Set(ids).size, ids.length, path)
    assert.doesNotMatch(text, /<!-- (table|end)|&lt;!--|\]\(|style="|onclick/, path)
  }
})

test('pages of the documentation and the home page may be indexed and cached, others may not', async () => {
  for (const path of [
    '/',
    '/docs',
    '/docs/start',
    '/docs/guides/refunds',
    '/docs/errors',
    '/docs/events/refund.paid',
  ]) {
    const { headers } = await read(path)
    assert.equal(headers.get('x-robots-tag'), null, path)
    assert.equal(headers.get('cache-control'), 'public, max-age=300', path)
    assert.match(
      headers.get('content-security-policy') ?? '',
      /default-src 'none'; style-src 'self'; script-src 'self'/,
    )
  }
  for (const path of ['/docs/search?q=refund', '/docs/nothing', '/dashboard/login', '/checkout/unknown'])
    assert.match((await read(path)).headers.get('x-robots-tag') ?? '', /noindex/, path)
})

test('a path that no page has is a page for people and an error for programs, also if it climbs out', async () => {
  for (const path of [
    '/docs/nothing',
    '/docs/guides',
    '/docs/events/no.such',
    '/docs/..%2fpackage.json',
    '/docs/%00.md',
  ]) {
    const page = await read(path)
    assert.equal(page.status, 404, path)
    assert.match(await page.text(), /This page does not exist/)
    const error = await read(path, { accept: 'application/json' })
    assert.equal(error.status, 404)
    assert.equal(((await error.json()) as { error_code: string }).error_code, 'NOT_FOUND')
  }
})

const hitsOf = (text: string) =>
  [...(text.split('class="hits"')[1] ?? '').matchAll(/<a href="([^"]+)"/g)].map(([, to]) => to)
const found = async (question: string) => hitsOf(await textOf(`/docs/search?q=${encodeURIComponent(question)}`))

test('the search finds every page by its title, titles first, and codes, events and words of texts', async () => {
  assert.equal((await found('refunds'))[0], '/docs/guides/refunds')
  assert.equal((await found('Payout schedules'))[0], '/docs/guides/payout-schedules')
  assert.equal((await found('test values'))[0], '/docs/test-values')
  assert.equal((await found('payout.returned'))[0], '/docs/events/payout.returned')
  assert.ok((await found('REFUND_EXCEEDS_REMAINING')).includes('/docs/errors#REFUND_EXCEEDS_REMAINING'))
  assert.ok(
    (await found('loopback')).some((to) => to?.startsWith('/docs/guides/webhooks')),
    'a word of a text',
  )
  assert.ok((await found('idempotncy')).length > 0, 'a word that was typed wrong')
  assert.ok((await found('dispu')).includes('/docs/guides/disputes'), 'the beginning of a word')
})

test('a letter or two are found as words: all that begins so would hold up the sales of the process', async () => {
  assert.deepEqual(await found('a e i o s t p r'), [])
  assert.ok((await found('zer')).length > 0, 'the beginning of a word')
})

test('whatever is searched for is shown as text', async () => {
  assert.match(await textOf('/docs/search'), /Type a word/)
  assert.match(await textOf('/docs/search?q=%20'), /Type a word/)
  assert.match(await textOf('/docs/search?q=zxqvw'), /Nothing was found for “zxqvw”/)
  const hostile = '"><script>alert(1)</script> refund'
  const page = await textOf(`/docs/search?q=${encodeURIComponent(hostile)}`)
  assert.ok(!page.includes('<script>alert'), 'a script from the address')
  for (const question of ['(.*)+$', '\\', '%', '\u202e', 'a '.repeat(1_000), '&q=refund'])
    assert.equal((await read(`/docs/search?q=${encodeURIComponent(question)}`)).status, 200, question.slice(0, 20))
})

test('llms.txt has every page with one line, each as Markdown', async () => {
  const answer = await read('/llms.txt', {})
  assert.match(answer.headers.get('content-type') ?? '', /^text\/plain/)
  const text = await answer.text()
  assert.match(text, /^# steadypay\n\n> /)
  const lines = [...text.matchAll(/^- \[([^\]]+)\]\(([^)]+)\)(: .+)?$/gm)]
  assert.equal(lines.length, text.match(/^- /gm)?.length, 'a line of another form')
  for (const [line, , address = '', summary] of lines) {
    assert.ok(summary, `${line} says nothing`)
    assert.equal((await read(address, {})).status, 200, address)
  }
  for (const file of globSync('docs/**/*.md', { cwd: ROOT })) assert.ok(text.includes(`(/${file})`), file)
})

test('every error code and event type has its place, with a sample that the sandbox sends', async () => {
  const errors = idsIn(walked.get('/docs/errors') ?? '')
  for (const code of Object.keys(errorCodes)) assert.ok(errors.has(code), code)
  for (const type of eventTypes) {
    const page = walked.get(`/docs/events/${type}`) ?? ''
    const sample = unescaped(
      (/<pre tabindex="0"><code>(.+?)<\/code>/s.exec(page)?.[1] ?? '').replaceAll(/<[^>]+>/g, ''),
    )
    const event = JSON.parse(sample) as { type: string; data: object }
    assert.equal(event.type, type)
    assert.ok(Object.keys(event.data).length > 1, type)
  }
})
