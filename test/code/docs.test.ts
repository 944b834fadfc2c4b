import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { test } from 'node:test'
import { seenResources } from '../../api/sight/resources.ts'
import { failureCodes } from '../../domain/checkout/payment.ts'
import { capabilities } from '../../domain/platform/capability.ts'
import { businessTypes, extrasOf } from '../../domain/platform/requirement-rule.ts'
import { errorCodes } from '../../domain/refusal.ts'
import { wakeReasons } from '../../domain/sight/agenda.ts'
import { tables } from '../../scripts/docs/tables.ts'
import { withTables } from '../../scripts/docs/with-tables.ts'
import { passingCode, testCards, testReferences, voucherProvider } from '../../rails/sandbox/test-values.ts'
import { folders } from '../../scripts/infra/layers.ts'
import { ROOT } from '../../scripts/infra/paths.ts'

// Checks the docs against the code: what the code declares is documented, and what the docs name exists.
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')
const pages = ['README.md', 'CHANGELOG.md', ...globSync('docs/**/*.md', { cwd: ROOT }).toSorted()]
const reference = read('docs/reference.md')

type Package = Record<'scripts' | 'dependencies' | 'devDependencies' | 'optionalDependencies', Record<string, string>>
const manifest = JSON.parse(read('package.json')) as Package

/** The text of a page under one heading of the second level. */
const section = (page: string, heading: string) => page.split(/^## /m).find((part) => part.startsWith(`${heading}\n`))

/** The values in backticks in one column of a section's table. */
function column(page: string, heading: string, index: number): string[] {
  const rows = (section(page, heading) ?? '').split('\n').filter((line) => line.startsWith('| '))
  return rows.flatMap((row) => /^`([^`]+)`$/.exec(row.split('|')[index + 1]?.trim() ?? '')?.[1] ?? [])
}

const same = (named: string[], known: readonly string[]) => assert.deepEqual(named.toSorted(), known.toSorted())

test('every error code is in the reference, with its status', () => {
  const rows = [...(section(reference, 'Errors') ?? '').matchAll(/^\| (\d{3}) \| `([A-Z_]+)` \|/gm)]
  same(
    rows.map(([, status, code]) => `${code} ${status}`),
    Object.entries(errorCodes).map(([code, status]) => `${code} ${status}`),
  )
})

test('every generated table matches its declaration; if not, run npm run docs', () => {
  assert.deepEqual(
    pages.filter((page) => withTables(read(page)) !== read(page)),
    [],
  )
  const used = pages.flatMap((page) => [...read(page).matchAll(/<!-- table: ([\w-]+) -->/g)].map(([, name]) => name))
  assert.deepEqual(new Set(used), new Set(Object.keys(tables)), 'a table that no page shows')
})

test('the table of capabilities names for every type of business what each asks for', () => {
  for (const line of tables.capabilities().split('\n').slice(2)) {
    const capability = capabilities.find((each) => line.startsWith(`| \`${each}\``))
    assert.ok(capability, line)
    for (const businessType of businessTypes) {
      for (const each of extrasOf(capability, { country: null, businessType })) assert.ok(line.includes(each), line)
    }
  }
})

test('the guide of timelines has every reason of the agenda, and the path of every resource with a timeline', () => {
  const page = read('docs/guides/timeline.md')
  const [, agenda = ''] = page.split('| `reason` | What happens at `wakes_at` |')
  const named = [...agenda.matchAll(/^\| (`[^|]+`) \|/gm)].flatMap(([, cell = '']) => cell.split(', '))
  same(
    named.map((name) => name.replaceAll('`', '')),
    wakeReasons,
  )
  same(
    [...page.matchAll(/`(\/v1\/[\w/-]+)\/\{id\}\/timeline`/g)].map(([, path = '']) => path),
    seenResources.map(({ path }) => path),
  )
})

test('no page has the marks of a merge that was not ended', () => {
  assert.deepEqual(
    pages.filter((page) => /^(<{7}|={7}|>{7})( |$)/m.test(read(page))),
    [],
  )
})

test('every rule that the code cites is under the heading that it names', () => {
  const sources = globSync(
    '{activities,api,client,commands,db,domain,engine,rails,schemas,test,web,workflows}/**/*.ts',
    {
      cwd: ROOT,
    },
  )
  const cited = sources.flatMap((file) =>
    // A comment may break a citation over two lines.
    [
      ...read(file)
        .replaceAll(/\n\s*(\*|\/\/) /g, ' ')
        .matchAll(/\((docs\/contract\/[\w-]+\.md), "([^"]+)"/g),
    ].map(([, page = '', heading = '']) => ({ file, page, heading })),
  )
  assert.ok(cited.length > 30, 'the citations are found')
  const lost = cited.filter(({ page, heading }) => !new RegExp(`^#+ ${heading}$`, 'm').test(read(page)))
  assert.deepEqual(lost, [])
  const outside = sources.filter(
    (file) => file !== 'test/code/docs.test.ts' && /decisions\.md|interface\.md/.test(read(file)),
  )
  assert.deepEqual(outside, [], 'documents that the repository does not hold')
})

test('every other route is in the reference', () => {
  const sources = globSync('{api,web}/**/*.ts', { cwd: ROOT }).map(read).join('\n')
  const routes = [...sources.matchAll(/\brouter\.(get|post|put|patch|delete)\('([^']+)'/g)]
  assert.ok(routes.length > 4, 'the routes are found')
  for (const [, method, path] of routes) {
    const call = `${method?.toUpperCase()} ${path?.replaceAll(/:(\w+)/g, '{$1}')}`
    assert.ok(reference.includes(`\`${call}\``), `${call} is not named`)
  }
})

test('every sandbox card and failure code is in the reference', () => {
  const cards = testCards.map(({ number }) => number)
  const values = section(reference, 'Sandbox values') ?? ''
  same(
    [...values.matchAll(/^\| (\d{16}) \|/gm)].map(([, number]) => number ?? ''),
    cards,
  )
  for (const code of failureCodes) assert.ok(values.includes(`\`${code}\``), code)
})

test('every sandbox card, token or reference that a page names is one of the test values', () => {
  const known = new Set([
    ...testCards.flatMap(({ number, token }) => [number, number.match(/\d{4}/g)?.join(' '), token]),
    ...testReferences.map(({ reference: value }) => value),
  ])
  const values = /\b\d{16}\b|\b(?:\d{4} ){3}\d{4}\b|\btok_\w+|(?<=`)sandbox_\w+/g
  const named = pages.flatMap((page) => read(page).match(values) ?? [])
  assert.ok(named.length > 20, 'the values are found')
  assert.deepEqual(
    named.filter((value) => !known.has(value)),
    [],
  )
  const page = section(reference, 'Sandbox values') ?? ''
  assert.ok(page.includes(`the code ${passingCode} goes on`))
  assert.ok(page.includes(`The provider \`${voucherProvider}\` asks`))
})

test('every direct dependency is documented, and no other package is', () => {
  const page = read('docs/dependencies.md')
  same(column(page, 'To run', 0), Object.keys(manifest.dependencies))
  same(column(page, 'To build and prove', 0), Object.keys(manifest.devDependencies))
  same(column(page, 'Optional', 0), Object.keys(manifest.optionalDependencies))
})

test('every npm command that a page names exists, with its file', () => {
  const named = pages.flatMap((page) =>
    [...read(page).matchAll(/\bnpm (?:run ([\w-]+)|(start|test)\b)/g)].map(([, run, own]) => run ?? own ?? ''),
  )
  assert.ok(named.includes('start') && named.includes('demo'))
  for (const name of new Set(named)) {
    const command = manifest.scripts[name]
    assert.ok(command, `npm run ${name} is not in package.json`)
    for (const file of command.match(/\S+\.(ts|mjs)/g) ?? []) assert.ok(existsSync(join(ROOT, file)), file)
  }
})

test('every row of the bench that a page names exists', () => {
  const rows = [...read('bench/main.ts').matchAll(/^ {2}'?([\w-]+)'?: measure\w+,$/gm)].map(([, row]) => row)
  const named = pages.flatMap((page) => [...read(page).matchAll(/--only ([\w,-]+)/g)].map(([, only = '']) => only))
  assert.ok(rows.length > 10 && named.includes('scale'), 'the rows and their names are found')
  assert.deepEqual(
    named.filter((only) => only.split(',').some((row) => !rows.includes(row))),
    [],
  )
})

test('every relative link leads to a file and heading that exist', () => {
  const broken = pages.flatMap((page) =>
    [...read(page).matchAll(/\]\((?!https?:)([^)\s]*?)(?:#([^)\s]+))?\)/g)]
      .filter(([, path = '', anchor]) => !leads(path ? join(dirname(page), path) : page, anchor))
      .map(([link]) => `${page}: ${link}`),
  )
  assert.deepEqual(broken, [])
})

function leads(file: string, anchor: string | undefined): boolean {
  if (!existsSync(join(ROOT, file))) return false
  return !anchor || headingsOf(read(file)).includes(anchor)
}

/** Headings as anchors: lower case, spaces as dashes, without punctuation. */
const headingsOf = (page: string): string[] =>
  [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  )

test('every file that a page names in backticks exists', () => {
  const named = new RegExp(`\`((?:docs|${folders.join('|')})/[\\w./-]+\\.\\w+)\``, 'g')
  const missing = pages.flatMap((page) =>
    [...read(page).matchAll(named)]
      .filter(([, file = '']) => !existsSync(join(ROOT, file)))
      .map(([, file]) => `${page}: ${file}`),
  )
  assert.deepEqual(missing, [])
})

/** What code says of its terms: its comments, and the lines that declare names. Other files are read whole. */
function declaredIn(file: string): string {
  const isSaid = (line: string) => /^\s*(\/\*\*|\*|\/\/|export|const|type|(async )?function|\w+\??:)/.test(line)
  const lines = read(file).split('\n')
  return (file.endsWith('.ts') ? lines.filter(isSaid) : lines).join('\n').toLowerCase()
}

test('every term of the glossary is declared or explained in the file that the glossary names for it', () => {
  const rows = [...read('docs/glossary.md').matchAll(/^\| ([^|]+) \| [^|]+ \| (`[^|]+`) \|$/gm)]
  assert.ok(rows.length > 90, `${rows.length} terms`)
  const missing = rows.flatMap(([, terms = '', places = '']) =>
    terms.split(', ').flatMap((term) => {
      const words = term.split(/[ -]/).filter((word) => !['a', 'of'].includes(word))
      const files = [...places.matchAll(/`([^`]+\.\w+)`/g)].map(([, file = '']) => file)
      return files
        .filter((file) => !words.every((word) => declaredIn(file).includes(word.toLowerCase())))
        .map((file) => `${term}: ${file}`)
    }),
  )
  assert.deepEqual(missing, [])
})

test('every page can be reached from the README, and each decision fits on one page', () => {
  const reached = new Set(['README.md'])
  for (const page of reached) {
    for (const [, path = ''] of read(page).matchAll(/\]\((?!https?:)([^)#\s]+\.md)/g)) {
      reached.add(relative(ROOT, join(ROOT, dirname(page), path)))
    }
  }
  same(
    pages.filter((page) => !reached.has(page)),
    [],
  )
  const long = pages.filter((page) => /decisions\/\d/.test(page) && read(page).split(/\s+/).length > 850)
  assert.deepEqual(long, [])
})
