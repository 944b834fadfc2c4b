import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { globSync, readFileSync, statSync } from 'node:fs'
import { request } from 'node:http'
import { dirname, join, posix } from 'node:path'
import { after, test } from 'node:test'
import { ROOT } from '../../scripts/infra/paths.ts'
import { openPages } from '../support/pages.ts'
import { useStack } from '../support/use-stack.ts'

// The pictures of the documentation: each that a page names exists, is small, says what it shows, and is served.

const stack = await useStack({ workers: false })
const pages = await openPages(stack)
after(() => pages.stop())

const read = (path: string, accept = 'text/html') => fetch(pages.base + path, { headers: { accept } })

/** The pictures that the Markdown names: the page, what is said for who cannot see it, and its file. */
const named = ['README.md', ...globSync('docs/**/*.md', { cwd: ROOT })].flatMap((page) =>
  [...readFileSync(join(ROOT, page), 'utf8').matchAll(/!\[([^\]]*)\]\(([^)\s]+)\)/g)].map(([, alt = '', src = '']) => ({
    page,
    alt,
    file: posix.join(dirname(page), src),
  })),
)
const files = globSync('docs/images/*', { cwd: ROOT })

test('every picture that the documentation names exists, and has a text for who cannot see it', () => {
  for (const page of [
    'docs/start.md',
    'docs/guides/dashboard.md',
    'docs/guides/checkout.md',
    'docs/operating/staff.md',
  ]) {
    assert.ok(
      named.some((one) => one.page === page),
      `${page} shows nothing`,
    )
  }
  for (const { page, alt, file } of named) {
    assert.ok(files.includes(file), `${page} names ${file}, which does not exist`)
    assert.ok(alt.trim().split(/\s+/).length >= 3, `${page}: ${file} needs a text that says what it shows`)
  }
})

test('every picture is a PNG of at most 150 KB that some page names', () => {
  for (const file of files) {
    assert.match(file, /^docs\/images\/[a-z0-9-]+\.png$/)
    assert.ok(statSync(join(ROOT, file)).size <= 150 * 1024, `${file} is too large`)
    assert.ok(
      named.some((one) => one.file === file),
      `no page shows ${file}`,
    )
  }
})

test('a page shows its pictures with their sizes, from an address that browsers may keep', async () => {
  for (const { page, alt, file } of named.filter((one) => one.page.startsWith('docs/'))) {
    const html = await (await read(`/${page.replace(/\.md$/, '')}`)).text()
    const [image = ''] = html.match(new RegExp(`<img[^>]* src="/${file}\\?v=[^>]*>`)) ?? []
    const [, address = ''] = / src="([^"]+)"/.exec(image) ?? []
    assert.ok(image.includes(` alt="${alt}"`), `${page}: ${image}`)
    const bytes = readFileSync(join(ROOT, file))
    const size = ` width="${bytes.readUInt32BE(16)}" height="${bytes.readUInt32BE(20)}"`
    assert.ok(image.includes(size), `${page}: ${image}`)
    const answer = await read(address)
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('content-type'), 'image/png')
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
    assert.equal(answer.headers.get('cache-control'), 'public, max-age=31536000, immutable')
    const hash = (content: Buffer) => createHash('sha256').update(content).digest('hex')
    assert.equal(hash(Buffer.from(await answer.arrayBuffer())), hash(bytes))
    const bare = await read(`/${file}?v=0`)
    assert.equal(bare.headers.get('cache-control'), 'public, max-age=300', 'an older version may not be kept')
  }
})

/** A call whose path is sent as it is: `fetch` would resolve the dots. */
const statusOf = (path: string) =>
  new Promise<number>((resolve, reject) => {
    const { hostname, port } = new URL(pages.base)
    const call = request({ hostname, port, path, headers: { accept: 'text/html' } }, (answer) => {
      answer.resume()
      resolve(answer.statusCode ?? 0)
    })
    call.on('error', reject).end()
  })

test('a picture that does not exist is not found, and no path leads out of the folder', async () => {
  const name = 'checkout.png'
  for (const path of [
    'nothing.png',
    `${name}/`,
    `x/${name}`,
    `.${name}`,
    `${name}%00`,
    `%2e%2e/${name}`,
    `../images/../../package.json`,
    `..%2f..%2fpackage.json`,
    `%2e%2e/%2e%2e/package.json`,
    `..\\..\\package.json`,
    name.toUpperCase(),
    '',
    'constructor',
  ]) {
    assert.equal(await statusOf(`/docs/images/${path}`), 404, path)
  }
  const program = await read('/docs/images/nothing.png', 'application/json')
  assert.equal(program.status, 404)
  assert.equal(((await program.json()) as Record<string, unknown>)['error_code'], 'NOT_FOUND')
})
