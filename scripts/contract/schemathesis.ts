import { createHash } from 'node:crypto'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { createInterface } from 'node:readline'
import { CACHE, ROOT } from '../infra/paths.ts'
import { SetupError, type Session } from '../infra/session.ts'
import { runTool } from '../infra/tool.ts'
import type { Fixtures } from './fixtures.ts'

const FOLDER = join(ROOT, 'scripts/contract')
const REQUIREMENTS = join(FOLDER, 'requirements.txt')

/** A check that failed, with the call and the answer that it is about. `body` is what was sent, as bytes. */
export type Failure = {
  operation: string
  check: string
  message: string
  request: { method: string; uri: string; body: Buffer | null }
  response: { status: number; body: string } | null
}
/** `accepted` are the operations that have answered a call with 2xx. */
export type Run = { failures: Failure[]; cases: number; errors: string[]; accepted: Set<string> }

/** Installs the packages of requirements.txt, unless an earlier run has. Returns the folder for Python's path. */
export async function installSchemathesis(): Promise<string> {
  const wanted = createHash('sha256').update(readFileSync(REQUIREMENTS)).digest('hex').slice(0, 16)
  const folder = join(CACHE, `schemathesis-${wanted}`)
  if (existsSync(folder)) return folder
  console.log('Installing schemathesis (pip) ...')
  mkdirSync(CACHE, { recursive: true })
  const coming = mkdtempSync(`${folder}-`)
  const flags = ['--quiet', '--no-deps', '--disable-pip-version-check', '--root-user-action=ignore']
  const complaint = await runTool('python3', '-m', 'pip', 'install', ...flags, '--target', coming, '-r', REQUIREMENTS)
  if (complaint !== null) throw new SetupError(`schemathesis could not be installed:\n${complaint}`)
  renameSync(coming, folder)
  return folder
}

/** Writes the settings of all runs: ids and credentials. The hooks replace `a-person` by an access token. */
export function writeSettings(folder: string, { ids, apiKey, clientSecret, customerToken }: Fixtures): string {
  const file = join(folder, 'schemathesis.toml')
  const lines = [
    `hooks = ${JSON.stringify(join(FOLDER, 'hooks.py'))}`,
    ...Object.entries({ apiKey, clientSecret, customerToken, user: 'a-person' }).flatMap(([scheme, bearer]) => [
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

type RunOptions = {
  /** From `installSchemathesis`. */
  library: string
  /** From `writeSettings`. The report is written beside it. */
  settings: string
  baseUrl: string
  /** The path of the OpenAPI document. */
  document: string
  fixtures: Fixtures
  phases: string
  seed: number
  maxSeconds: number
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
    '--max-examples=25',
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
    CONTRACT_PEOPLE: JSON.stringify(options.fixtures.people),
  }
  const child = spawn('python3', args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] })
  session.atEnd(() => void child.kill())
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  const [code] = (await once(child, 'close')) as [number | null]
  // It ends with 1 if a check has failed. `isExcepted` decides which of these failures count.
  const isDone = (code === 0 || code === 1) && existsSync(report)
  if (!isDone) throw new SetupError(`schemathesis ends with ${code}:\n${output.slice(-4000)}`)
  return readReport(report)
}

type Checked = { name: string; status: string; failure_info?: { failure: { message: string } } }
type Encoded = { $base64: string } | null | undefined
type Interaction = {
  request: { method: string; uri: string; body?: Encoded }
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
  const run: Run = { failures: [], cases: 0, errors: [], accepted: new Set() }
  for await (const line of createInterface({ input: createReadStream(file) })) {
    const { ScenarioFinished: scenario, NonFatalError, FatalError } = JSON.parse(line) as Event
    if (NonFatalError ?? FatalError) run.errors.push(line.slice(0, 2000))
    if (scenario) readScenario(scenario.recorder, run)
  }
  return run
}

function readScenario({ label, checks = {}, interactions = {} }: Recorder, run: Run): void {
  run.cases += Object.keys(interactions).length
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
        request: { method: request.method, uri: request.uri, body: decoded(request.body) },
        response: response ? { status: response.status_code, body: decoded(response.content)?.toString() ?? '' } : null,
      })
    }
  }
}
