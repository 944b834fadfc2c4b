import { type AnyNode, parse } from 'acorn'
import { ancestor } from 'acorn-walk'
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { test } from 'node:test'
import { folders, layers, tools } from '../../scripts/infra/layers.ts'
import { ROOT } from '../../scripts/infra/paths.ts'

// Rules of style that no other tool checks. The layers between folders are in .dependency-cruiser.cjs.
// The limits serve the reader: no code is packed, split or renamed to fit them.
const FILE_LINES = 300
const TEST_LINES = 400
const WORKFLOW_LINES = 100
const FUNCTION_LINES = 60
const OPERATION_LINES = 30
const WIDTH = 120

/** Written by a generator, and read by compilers. */
const generated = ['client/library/openapi.ts']
const list = (pattern: string) =>
  globSync(pattern, { cwd: ROOT })
    .filter((file) => !generated.includes(file))
    .toSorted()
const production = [...list(`{${layers.join(',')}}/**/*.ts`), ...list('client/**/*.{js,mjs}')]
const ours = [...production, ...list(`{${tools.join(',')}}/**/*.{ts,mjs}`)]
const texts = [...ours, ...list('{.ci/run,*.sh,*.cjs,{db,scripts,test,web}/**/*.{sql,sh,eta,css}}')]
const read = (file: string) => readFileSync(`${ROOT}/${file}`, 'utf8')

type Span = { name: string; lines: number; at: number }
type Source = { tree: AnyNode; code: string; lineOf(node: AnyNode): number; span(node: AnyNode): number }

/** A file as a tree, and its text with comments and strings blanked out. */
function open(file: string): Source {
  const text = read(file)
  const blank = (from: string, { start, end }: { start: number; end: number }) =>
    from.slice(0, start) + from.slice(start, end).replace(/\S/g, ' ') + from.slice(end)
  let code = text
  const tree = parse(file.endsWith('.ts') ? stripTypeScriptTypes(text) : text, {
    ecmaVersion: 'latest',
    sourceType: 'module',
    locations: true,
    allowAwaitOutsideFunction: true,
    onComment: (_block, _comment, start, end) => {
      code = blank(code, { start, end })
    },
  })
  ancestor(tree, {
    Literal(node) {
      if (typeof node.value === 'string' || 'regex' in node) code = blank(code, node)
    },
    TemplateElement(node) {
      code = blank(code, node)
    },
  })
  const lineOf = (node: AnyNode) => node.loc?.start.line ?? 0
  return { tree, code, lineOf, span: (node) => (node.loc?.end.line ?? 0) - lineOf(node) + 1 }
}

/**
 * Named functions, each without the lines of named functions inside it (so a factory counts little, and the
 * functions that it makes count by themselves), and unnamed functions at the top level.
 */
function functionsOf({ tree, lineOf, span }: Source): Span[] {
  const found: (Span & { node: AnyNode })[] = []
  // Inner functions are visited before the ones around them.
  const visit = (node: AnyNode, _state: unknown, ancestors: AnyNode[]) => {
    const outer = ancestors.slice(0, -1)
    const name = nameOf(node, outer.at(-1))
    if (name === null && outer.some(isFunction)) return
    const lines = span(node) - sum(found.filter(({ node: inner }) => contains(node, inner)).map((inner) => inner.lines))
    found.push({ node, name: name ?? 'an unnamed function', lines, at: lineOf(node) })
  }
  ancestor(tree, { FunctionDeclaration: visit, FunctionExpression: visit, ArrowFunctionExpression: visit })
  return found
}

const contains = (outer: AnyNode, inner: AnyNode) => outer.start <= inner.start && inner.end <= outer.end
const sum = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0)
const isFunction = (node: AnyNode) => /^(Function|ArrowFunction)/.test(node.type)

function nameOf(node: AnyNode, parent: AnyNode | undefined): string | null {
  if ('id' in node && node.id?.type === 'Identifier') return node.id.name
  const holder = parent?.type === 'VariableDeclarator' ? parent.id : parent && 'key' in parent ? parent.key : null
  if (holder?.type === 'Identifier' || holder?.type === 'PrivateIdentifier') return holder.name
  return null
}

function operationsOf({ tree, lineOf, span }: Source): Span[] {
  const found: Span[] = []
  ancestor(tree, {
    CallExpression(node, _state: unknown, ancestors: AnyNode[]) {
      if (node.callee.type !== 'Identifier' || node.callee.name !== 'operation') return
      found.push({ name: nameOf(node, ancestors.at(-2)) ?? 'an operation', lines: span(node), at: lineOf(node) })
    },
  })
  return found
}

const tooLong = (file: string, spans: Span[], limit: number) =>
  spans.filter(({ lines }) => lines > limit).map(({ name, lines, at }) => `${file}:${at} ${name} has ${lines} lines`)

/** Lines that match, as `file:line text`. */
const linesWith = (file: string, code: string, pattern: RegExp) =>
  code.split('\n').flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1} ${line.trim()}`] : []))

const isMigration = (file: string) => file.startsWith('db/migrations/') || file.startsWith('test/edited-migrations/')

function limitOf(file: string): number {
  if (file.startsWith('workflows/')) return WORKFLOW_LINES
  return file.startsWith('test/') ? TEST_LINES : FILE_LINES
}

test(`a file has at most ${FILE_LINES} lines, one of workflows/ ${WORKFLOW_LINES}, of test/ ${TEST_LINES}`, () => {
  const long = ours
    .filter((file) => !isMigration(file))
    .map((file) => ({ file, lines: read(file).trimEnd().split('\n').length }))
    .filter(({ file, lines }) => lines > limitOf(file))
  assert.deepEqual(long, [])
})

test(`a function has at most ${FUNCTION_LINES} lines`, () => {
  const long = ours
    .filter((file) => !file.startsWith('test/') && !isMigration(file))
    .flatMap((file) => tooLong(file, functionsOf(open(file)), FUNCTION_LINES))
  assert.deepEqual(long, [])
})

test(`an operation has at most ${OPERATION_LINES} lines`, () => {
  const files = production.filter((file) => /^(api|web)\//.test(file))
  assert.deepEqual(
    files.flatMap((file) => tooLong(file, operationsOf(open(file)), OPERATION_LINES)),
    [],
  )
})

test(`a line has at most ${WIDTH} characters`, () => {
  const wide = new RegExp(`^.{${WIDTH + 1}}`, 'u')
  assert.deepEqual(
    texts.filter((file) => !isMigration(file)).flatMap((file) => linesWith(file, read(file), wide)),
    [],
  )
})

test('the configurations that cannot read the list of layers name the same folders', () => {
  const { include } = JSON.parse(read('tsconfig.json')) as { include: string[] }
  assert.deepEqual(include, folders)
  const { project } = JSON.parse(read('knip.json')) as { project: string[] }
  assert.deepEqual(project, [`{${folders.join(',')}}/**/*.{ts,mjs}`])
})

/** Literals that are spread into another one, and parts of a union in brackets, as `file:line text`. */
function packedLists(file: string): string[] {
  const { tree, lineOf } = open(file)
  const lines = read(file).split('\n')
  const found: string[] = []
  ancestor(tree, {
    SpreadElement({ argument }) {
      if (!/^(Array|Object)Expression$/.test(argument.type)) return
      found.push(`${file}:${lineOf(argument)} ${lines[lineOf(argument) - 1]?.trim()}`)
    },
  })
  return [...found, ...linesWith(file, lines.join('\n'), /^\s*\| \($|^\s*\| \('/)]
}

test('a list names its items one by one: no literal is spread, and no part of a union is in brackets', () => {
  assert.deepEqual(ours.flatMap(packedLists), [])
})

test('nothing is typed `any`', () => {
  assert.deepEqual(
    ours.flatMap((file) => linesWith(file, open(file).code, /(?<![.\w])any\b(?!\s*[:(=])/)),
    [],
  )
})

test('there is no default export', () => {
  assert.deepEqual(
    ours.flatMap((file) => linesWith(file, open(file).code, /\bexport\s+default\b|\bas\s+default\b/)),
    [],
  )
})

test('a process makes local activities through `proxyLocalSteps`, which runs cancelled ones again', () => {
  const others = list('workflows/**/*.ts').filter((file) => file !== 'workflows/local-steps.ts')
  assert.deepEqual(
    others.flatMap((file) =>
      linesWith(file, open(file).code, /\b(proxyLocalActivities|scheduleLocalActivity)\b(?!: \()/),
    ),
    [],
  )
})

test('a process calls rails through `proxyRailSteps`, which takes the task queue of the provider', () => {
  assert.deepEqual(
    list('workflows/**/*.ts').flatMap((file) =>
      linesWith(file, open(file).code, /\bproxyActivities<\w+>\(\s*(railPolicy|railPolicyAtOnce|lastQuestionPolicy)\b/),
    ),
    [],
  )
})

test('a change of the steps of a process has a named function in workflows/versions.ts', () => {
  const files = production.filter((file) => file !== 'workflows/versions.ts')
  assert.deepEqual(
    files.flatMap((file) => linesWith(file, open(file).code, /\b(patched|deprecatePatch)\b/)),
    [],
  )
})

test('only the two clocks read the time', () => {
  // In the workflow sandbox Date.now() is the process's own time, the same at every replay.
  const clocks = ['engine/clock.ts', 'workflows/wait-until.ts']
  // Runs in the merchant's process, which has none of our clocks: there the caller's `now`, else the system's time.
  const atMerchants = ['client/verify-webhook.js']
  const files = production.filter((file) => ![...clocks, ...atMerchants].includes(file))
  const asking = /\bDate\s*\.\s*now\b|\bnew\s+Date\s*\(\s*\)|\bnew\s+Date\b(?!\s*\()|(?<!new\s+)\bDate\(\s*\)/
  assert.deepEqual(
    files.flatMap((file) => linesWith(file, open(file).code, asking)),
    [],
  )
})

test('no test says of what may be missing that it is not null: `undefined` is not null either', () => {
  const vague = /\bnotEqual\(.*(\?\.|\['\w+'\]).*, null\b/
  assert.deepEqual(
    list('test/**/*.ts').flatMap((file) => linesWith(file, read(file), vague)),
    [],
  )
})

test('nothing is left unfinished, skipped or singled out', () => {
  // Written so that this file does not find itself.
  const unfinished = /\b(TO[D]O|FIX[M]E|XX[X])\b|\b(test|it|describe)\.(skip|only|todo)\b|\bskip: tru[e]\b/
  assert.deepEqual(
    texts.flatMap((file) => linesWith(file, read(file), unfinished)),
    [],
  )
})
