import { spawn } from 'node:child_process'
import { createReadStream, existsSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { ROOT } from '../infra/paths.ts'
import { pythonPackages } from '../infra/python-packages.ts'
import { SetupError, type Session } from '../infra/session.ts'
import { endOf } from '../infra/tool.ts'
import type { Fixtures, People } from './fixtures.ts'

const FOLDER = join(ROOT, 'scripts/contract')
/** Beside the settings: what the hooks put into the calls. */
const GIVEN = 'given.json'
const credentials = ['user', 'clientSecret', 'customerToken', 'onboardingToken', 'invitationToken'] as const

/** A check that failed, with the call and the answer that it is about. `body` is what was sent, as bytes. */
export type Failure = {
  operation: string
  check: string
  message: string
  request: { method: string; uri: string; headers: [name: string, value: string][]; body: Buffer | null }
  response: { status: number; body: string } | null
}
/** `called` are the operations that were called; `accepted` those that have answered a call with 2xx. */
export type Run = {
  failures: Failure[]
  cases: number
  errors: string[]
  called: Set<string>
  accepted: Set<string>
}

/** The folder for Python's path in which schemathesis is installed. */
export const installSchemathesis = (): Promise<string> =>
  pythonPackages('schemathesis', join(FOLDER, 'requirements.txt'))

/**
 * Writes the settings of all runs, and what the hooks put into the calls. The hooks replace each credential but the key
 * by that of the plan, or by that of `tokens`, or by the next access token of a person.
 */
export function writeSettings(folder: string, { ids, apiKey, tokens, plan }: Fixtures, people: People): string {
  const bearers = { apiKey, ...Object.fromEntries(credentials.map((name) => [name, `the-${name}`])) }
  const named = Object.fromEntries(credentials.map((name) => [`the-${name}`, tokens[name] ?? null]))
  writeFileSync(join(folder, GIVEN), JSON.stringify({ plan, tokens: named, people, account: ids['account_id'] }))
  const file = join(folder, 'schemathesis.toml')
  const lines = [
    `hooks = ${JSON.stringify(join(FOLDER, 'hooks.py'))}`,
    ...Object.entries(bearers).flatMap(([scheme, bearer]) => [
      `[auth.openapi.${scheme}]`,
      `bearer = ${JSON.stringify(bearer)}`,
    ]),
    '[cache]',
    'enabled = false',
    '[parameters]',
    ...Object.entries(ids).map(([name, id]) => `"path.${name}" = ${JSON.stringify(id)}`),
  ]
  writeFileSync(file, `${lines.join('\n')}\n`)
  return file
}

export type RunOptions = {
  /** From `installSchemathesis`. */
  library: string
  /** From `writeSettings`. The report is written beside it. */
  settings: string
  baseUrl: string
  /** The path of the OpenAPI document. */
  document: string
  phases: string
  seed: number
  maxSeconds: number
  /** The most random calls of an operation, for each kind of input. */
  examples: number
  /** Only operations whose path holds this text. */
  path?: string | undefined
}

/** One run of schemathesis over the whole document. */
export async function runSchemathesis(session: Session, options: RunOptions): Promise<Run> {
  const report = [options.settings, basename(options.document), options.phases, `${options.seed}.ndjson`].join('-')
  const args = [
    '-m',
    'schemathesis.cli',
    '--config-file',
    options.settings,
    'run',
    options.baseUrl + options.document,
    '--phases',
    options.phases,
    '--seed',
    String(options.seed),
    '--max-time',
    String(options.maxSeconds),
    `--max-examples=${options.examples}`,
    ...(options.path ? ['--include-path-regex', options.path.replaceAll(/[^\w/]/g, String.raw`\$&`)] : []),
    // A process that does not answer is given up after 12 seconds, and that is answered with 503.
    '--request-timeout=15',
    '--generation-database=none',
    '--continue-on-failure',
    '--no-shrink',
    '--output-sanitize=false',
    '--no-color',
    '--suppress-health-check=all',
    '--warnings=off',
    '--report=ndjson',
    `--report-ndjson-path=${report}`,
  ]
  const env = {
    ...process.env,
    PYTHONPATH: options.library,
    PYTHONDONTWRITEBYTECODE: '1',
    CONTRACT_GIVEN: join(dirname(options.settings), GIVEN),
  }
  const child = spawn('python3', args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] })
  session.atEnd(() => void child.kill())
  const { code, output } = await endOf(child)
  // It ends with 1 if a check has failed. `isExcepted` decides which of these failures count.
  const isDone = (code === 0 || code === 1) && existsSync(report)
  if (!isDone) throw new SetupError(`schemathesis ends with ${code}:\n${output.slice(-4000)}`)
  return readReport(report)
}

type Checked = { name: string; status: string; failure_info?: { failure: { message: string } } }
type Encoded = { $base64: string } | null | undefined
type Interaction = {
  request: { method: string; uri: string; headers: Record<string, string[]>; body?: Encoded }
  response?: { status_code: number; content?: Encoded } | null
}
type Recorder = { label: string; checks?: Record<string, Checked[]>; interactions?: Record<string, Interaction> }
type Event = {
  ScenarioFinished?: { recorder: Recorder }
  NonFatalError?: object
  FatalError?: object
}

const decoded = (encoded: Encoded): Buffer | null => (encoded ? Buffer.from(encoded.$base64, 'base64') : null)

/** Reads the report of a run: one event a line. */
async function readReport(file: string): Promise<Run> {
  const run: Run = { failures: [], cases: 0, errors: [], called: new Set(), accepted: new Set() }
  for await (const line of createInterface({ input: createReadStream(file) })) {
    const { ScenarioFinished: scenario, NonFatalError, FatalError } = JSON.parse(line) as Event
    if (NonFatalError ?? FatalError) run.errors.push(line.slice(0, 2000))
    if (scenario) readScenario(scenario.recorder, run)
  }
  return run
}

const headersOf = (headers: Record<string, string[]>): [string, string][] =>
  Object.entries(headers).flatMap(([name, values]) => values.map((value): [string, string] => [name, value]))

function readScenario({ label, checks = {}, interactions = {} }: Recorder, run: Run): void {
  run.cases += Object.keys(interactions).length
  if (Object.keys(interactions).length > 0) run.called.add(label)
  const answers = Object.values(interactions).map(({ response }) => response?.status_code ?? 0)
  if (answers.some((status) => status >= 200 && status < 300)) run.accepted.add(label)
  for (const [id, made] of Object.entries(checks)) {
    const interaction = interactions[id]
    for (const { name, status, failure_info: info } of made) {
      if (status !== 'failure' || !interaction) continue
      const { request, response } = interaction
      run.failures.push({
        operation: label,
        check: name,
        message: info?.failure.message ?? '',
        request: { ...request, headers: headersOf(request.headers), body: decoded(request.body) },
        response: response ? { status: response.status_code, body: decoded(response.content)?.toString() ?? '' } : null,
      })
    }
  }
}
