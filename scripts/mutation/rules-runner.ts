// Runs the tests of rules for Stryker, in its own process. Stryker's ready-made runners start a process for each change
// and test file, while most changes need a millisecond of one test. Here a change inside of a function is switched on
// for the tests that call it. For a change that acts while its file is loaded, the files are loaded anew.
import { globSync, readFileSync } from 'node:fs'
import { registerHooks, stripTypeScriptTypes } from 'node:module'
import { relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { MutantCoverage, StrykerOptions } from '@stryker-mutator/api/core'
import { commonTokens, declareClassPlugin, PluginKind, tokens } from '@stryker-mutator/api/plugin'
import {
  determineHitLimitReached,
  type DryRunResult,
  DryRunStatus,
  type MutantRunOptions,
  type MutantRunResult,
  MutantRunStatus,
  type TestResult,
  type TestRunner,
  TestStatus,
} from '@stryker-mutator/api/test-runner'

type Rule = { id: string; file: string; run: () => unknown }

/** By this object the instrumented code knows which change is switched on, and counts what it runs. */
const switches: {
  activeMutant?: string | undefined
  currentTestId?: string | undefined
  hitCount?: number | undefined
  hitLimit?: number | undefined
  mutantCoverage: MutantCoverage
} = { mutantCoverage: { static: {}, perTest: {} } }

/** Of a property only so many values are tried: a change that they do not show has survived. */
const valuesMax = 100

const sandbox = pathToFileURL(`${process.cwd()}/`).href
const isOurs = (url: string) => url.startsWith(sandbox) && !url.includes('/node_modules/')
const fileOf = (url: string) => relative(process.cwd(), fileURLToPath(url.replace(/\?.*$/, '')))

/** How often the files were loaded anew: Node loads a file once for each query of its address. */
let generation = 0
let collected: Rule[] = []
let loading = ''
const importsOf = new Map<string, Set<string>>()
const sources = new Map<string, string>()

/** Stands in for `test` of node:test. */
function collect(name: string, run: () => unknown): void {
  if (typeof run !== 'function') throw new Error(`"${name}": only test(name, function) is known here`)
  collected.push({ id: `${loading}: ${name}`, file: loading, run })
}

Object.assign(globalThis, { __stryker__: switches, __collectTest__: collect })

const moduleOf = (source: string) => `data:text/javascript,${encodeURIComponent(source)}`
const nodeTest = moduleOf('export const test = globalThis.__collectTest__')
const realFastCheck = import.meta.resolve('fast-check')
const fastCheck = moduleOf(`
  import { assert as run } from '${realFastCheck}'
  export * from '${realFastCheck}'
  export const assert = (property, options) =>
    run(property, { ...options, seed: 1, numRuns: Math.min(options?.numRuns ?? ${valuesMax}, ${valuesMax}) })`)

registerHooks({
  resolve(specifier, context, next) {
    if (specifier === 'node:test') return { url: nodeTest, shortCircuit: true }
    if (specifier === 'fast-check') return { url: fastCheck, shortCircuit: true }
    const found = next(specifier, context)
    if (!isOurs(found.url)) return found
    const parent = context.parentURL
    if (parent && isOurs(parent)) {
      const known = importsOf.get(fileOf(parent)) ?? new Set()
      importsOf.set(fileOf(parent), known.add(fileOf(found.url)))
    }
    return { ...found, url: `${found.url.replace(/\?.*$/, '')}?load=${generation}` }
  },
  load(url, context, next) {
    if (!isOurs(url)) return next(url, context)
    const file = fileOf(url)
    const source = sources.get(file) ?? stripTypeScriptTypes(readFileSync(file, 'utf8'))
    sources.set(file, source)
    return { format: 'module', source, shortCircuit: true }
  },
})

/** The tests of a file, loaded anew where the generation is new. */
async function load(file: string): Promise<Rule[]> {
  collected = []
  loading = file
  await import(pathToFileURL(file).href)
  return collected
}

/** Every file that a file imports, itself included. */
function reachOf(file: string, reached = new Set<string>()): Set<string> {
  if (reached.has(file)) return reached
  reached.add(file)
  for (const imported of importsOf.get(file) ?? []) reachOf(imported, reached)
  return reached
}

/** Runs a test. Null: it has passed. */
async function failureOf({ id, run }: Pick<Rule, 'id' | 'run'>): Promise<string | null> {
  switches.currentTestId = id
  try {
    await run()
    return null
  } catch (error) {
    return String(error) || 'failed'
  } finally {
    switches.currentTestId = undefined
  }
}

async function runUntilFailure(rules: Iterable<Rule> | AsyncIterable<Rule>): Promise<MutantRunResult> {
  let nrOfTests = 0
  for await (const rule of rules) {
    nrOfTests += 1
    const failureMessage = await failureOf(rule)
    const limit = determineHitLimitReached(switches.hitCount, switches.hitLimit)
    if (limit) return { status: MutantRunStatus.Timeout, ...(limit.reason ? { reason: limit.reason } : {}) }
    if (failureMessage === null) continue
    return { status: MutantRunStatus.Killed, killedBy: [rule.id], failureMessage, nrOfTests }
  }
  return { status: MutantRunStatus.Survived, nrOfTests }
}

class RulesRunner implements TestRunner {
  static inject = tokens(commonTokens.options)
  readonly #files: string[]
  readonly #rules: Rule[] = []

  constructor(options: StrykerOptions) {
    this.#files = globSync(options['rules'] as string[]).toSorted()
  }

  capabilities() {
    return { reloadEnvironment: true }
  }

  async init() {
    for (const file of this.#files) this.#rules.push(...(await load(file)))
  }

  /** Runs every test once, unchanged, and notes which code each of them runs. */
  async dryRun(): Promise<DryRunResult> {
    const tests: TestResult[] = []
    for (const { id, file, run } of this.#rules) {
      const startedAt = performance.now()
      const failureMessage = await failureOf({ id, run })
      const timeSpentMs = Math.round(performance.now() - startedAt)
      const result = { id, name: id, fileName: file, timeSpentMs }
      if (failureMessage === null) tests.push({ ...result, status: TestStatus.Success })
      else tests.push({ ...result, status: TestStatus.Failed, failureMessage })
    }
    return { status: DryRunStatus.Complete, tests, mutantCoverage: switches.mutantCoverage }
  }

  async mutantRun(options: MutantRunOptions): Promise<MutantRunResult> {
    switches.activeMutant = options.activeMutant.id
    switches.hitCount = options.hitLimit === undefined ? undefined : 0
    switches.hitLimit = options.hitLimit
    try {
      const changed = relative(process.cwd(), options.sandboxFileName)
      return await runUntilFailure(
        options.reloadEnvironment ? this.#reloaded(changed) : this.#named(options.testFilter ?? []),
      )
    } finally {
      switches.activeMutant = undefined
    }
  }

  #named(ids: string[]): Rule[] {
    const wanted = new Set(ids)
    return this.#rules.filter(({ id }) => wanted.has(id))
  }

  /** The tests of every file that reaches the changed one, loaded anew; those that import the least come first. */
  async *#reloaded(changed: string): AsyncGenerator<Rule> {
    const reaching = this.#files
      .map((file) => ({ file, reach: reachOf(file) }))
      .filter(({ reach }) => reach.has(changed))
      .toSorted((one, other) => one.reach.size - other.reach.size)
    generation += 1
    for (const { file } of reaching) {
      const rules: Rule[] = []
      const run = async () => rules.push(...(await load(file)))
      yield { id: `${file} is loaded`, file, run }
      yield* rules
    }
  }
}

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, 'rules', RulesRunner)]

/** The option `rules`: the test files, as patterns. */
export const strykerValidationSchema = {
  properties: { rules: { type: 'array', items: { type: 'string' } } },
}
