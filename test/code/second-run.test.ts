import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { ROOT } from '../../scripts/infra/paths.ts'

// Test files of the test, in a folder of its own: `once` fails in its first run, `always` in every run. `dies` ends the
// process of its first run, and `strays` throws outside of its test, which passes, in every run.
const bodies = {
  good: '',
  once: `if (!existsSync(mark)) { writeFileSync(mark, ''); assert.fail('a first run') }`,
  always: `assert.fail('every run')`,
  dies: `if (!existsSync(mark)) {
    writeFileSync(mark, ''); process.kill(process.pid, 'SIGKILL'); await new Promise(() => {})
  }`,
  strays: `await new Promise((done) => setTimeout(() => { setTimeout(done); throw new Error('a stray error') }))`,
}

const kindsOfFiles = ['test', 'process.test', 'browser.test', 'fault.test', 'test', 'test', 'test', 'test', 'test']
type Kind = keyof typeof bodies
type Ran = { isPassed: boolean; printed: string; runs: number[] }

/**
 * Runs such files, the third and the fourth in one batch, and so the first, the fifth and those after it, as their
 * names say. Returns whether they passed, what was printed, and how often each was run.
 */
async function run(...kinds: Kind[]): Promise<Ran> {
  return runWith([], kinds)
}

async function runWith(flags: string[], kinds: Kind[]): Promise<Ran> {
  const folder = mkdtempSync(join(tmpdir(), 'steadypay-second-run-'))
  try {
    const files = kinds.map((kind, n) => {
      const file = join(folder, `${n}-${kind}.${kindsOfFiles[n]}.mjs`)
      const head = `import assert from 'node:assert'; import { test } from 'node:test'
        import { appendFileSync, existsSync, writeFileSync } from 'node:fs'
        const mark = ${JSON.stringify(`${file}.mark`)}; appendFileSync(${JSON.stringify(`${file}.runs`)}, 'x')`
      writeFileSync(file, `${head}\ntest('works', async () => { ${bodies[kind]} })`)
      return relative(ROOT, file)
    })
    const entry = join(folder, 'entry.mjs')
    const code = JSON.stringify(pathToFileURL(join(ROOT, 'scripts/infra/test-files.ts')).href)
    writeFileSync(
      entry,
      `import { runTestFiles } from ${code}
      const options = { env: process.env, flags: ${JSON.stringify(flags)}, signal: new AbortController().signal }
      console.log('passed', await runTestFiles(process.argv.slice(2), options))`,
    )
    const { NODE_TEST_CONTEXT: _, ...env } = process.env // else the runner takes this for a run within itself
    const { stdout: printed } = await promisify(execFile)(process.execPath, [entry, ...files], { cwd: ROOT, env })
    const runs = files.map((file) => readFileSync(join(ROOT, `${file}.runs`)).length)
    return { isPassed: printed.trimEnd().endsWith('passed true'), printed, runs }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

test('a file that fails beside others and passes alone passes, and both is printed', async () => {
  const { isPassed, printed } = await run('good', 'once')
  assert.ok(isPassed, printed)
  assert.match(printed, /a first run/)
  assert.match(printed, /Failed beside others: .*1-once/)
  assert.match(printed, /fail 0/)
})

test('a file that fails twice fails, and one that runs without others has no second run', async () => {
  assert.ok(!(await run('good', 'always')).isPassed)
  const alone = await run('once')
  assert.ok(!alone.isPassed, alone.printed)
})

test('what has passed in the batch of a failed file is not run again, and counts once', async () => {
  const { isPassed, printed, runs } = await run('good', 'good', 'good', 'once')
  assert.ok(isPassed, printed)
  assert.deepEqual(runs, [1, 1, 1, 2])
  assert.match(printed, /tests 4\n[^]*pass 4\n[^]*fail 0/)
})

test('what never ran in the batch of a failed file, as their process died, is run again', async () => {
  const { isPassed, printed, runs } = await run('good', 'good', 'once', 'dies')
  assert.deepEqual(runs, [1, 1, 2, 2], printed)
  assert.ok(isPassed, printed)
  assert.match(printed, /tests 4\n[^]*pass 4\n[^]*fail 0/)
})

test('an error outside of the tests fails a batch in which a test has failed, too', async () => {
  const { isPassed, printed, runs } = await run('good', 'good', 'once', 'strays')
  assert.deepEqual(runs, [1, 1, 2, 2], printed)
  assert.ok(!isPassed, printed)
})

test('with chosen tests the failure of the first run does not count', async () => {
  const { isPassed, printed } = await runWith(['--test-name-pattern=works'], ['good', 'once'])
  assert.ok(isPassed, printed)
  assert.match(printed, /tests 2\n[^]*pass 2\n[^]*fail 0/)
})

test('a batch of many files that did not end is run again: it is not known how many of them have failed', async () => {
  const { isPassed, printed } = await run('dies', 'good', 'good', 'good', 'good', 'good', 'good')
  assert.ok(isPassed, printed)
  assert.match(printed, /tests 7\n[^]*pass 7\n[^]*fail 0/)
})

test('when many fail, none is run again', async () => {
  const { isPassed, printed } = await run(...Array.from({ length: 9 }, () => 'once' as const))
  assert.ok(!isPassed, printed)
  assert.match(printed, /fail 9/)
})
