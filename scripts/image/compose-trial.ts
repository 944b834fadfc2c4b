import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from '../infra/paths.ts'
import { type Ran, runProgram } from '../infra/run-program.ts'

const PROJECT = 'steadypay-trial'
const OVERRIDE = 'compose.override.yaml'

/** Beside another project of the same file: no port is published, and no image is built. */
export const apart = `
services:
  api: { ports: !reset [], build: !reset null }
  worker-money: { ports: !reset [], build: !reset null }
  worker-webhooks: { ports: !reset [], build: !reset null }
  migrate: { build: !reset null }
  prepare-temporal: { build: !reset null }
  postgres: { ports: !reset [] }
  temporal: { ports: !reset [] }
  temporal-ui: { ports: !reset [] }
  mail: { ports: !reset [] }
`

type Step = [what: string, take: () => Ran, expected?: RegExp]

/**
 * Starts everything that compose.yaml names, from nothing and then once more, with the image `steadypay:local`; makes
 * the first people as docs/guides/production.md says; and takes it away again. Returns each step with what went wrong,
 * or null; or the image that neither is here nor can be had.
 */
export function tryCompose(): { steps: [what: string, problem: string | null][] } | { lacking: string } {
  const folder = mkdtempSync(join(tmpdir(), 'steadypay-compose-'))
  const run = (command: string, ...args: string[]) => runProgram(command, args, { cwd: folder, env: ownVariables() })
  const compose = (...args: string[]) =>
    run('docker', 'compose', '--project-name', PROJECT, '--file', 'compose.yaml', '--file', OVERRIDE, ...args)
  for (const each of ['compose.yaml', 'deploy']) cpSync(join(ROOT, each), join(folder, each), { recursive: true })
  writeFileSync(join(folder, OVERRIDE), apart)
  try {
    const config = compose('config', '--images')
    if (!config.isGood) return { steps: [['compose.yaml can be read', config.says]] }
    const isHere = (image: string) =>
      run('docker', 'image', 'inspect', image).isGood || run('docker', 'pull', image).isGood
    const lacking = config.stdout
      .trim()
      .split('\n')
      .find((image) => !isHere(image))
    if (lacking !== undefined) return { lacking }
    compose('down', '--volumes') // what a trial that was interrupted has left
    return { steps: takeSteps(run, compose) }
  } finally {
    compose('down', '--volumes', '--timeout', '40')
    rmSync(folder, { recursive: true })
  }
}

/** The steps up to the first one that fails. */
function takeSteps(run: (command: string, ...args: string[]) => Ran, compose: (...args: string[]) => Ran) {
  const start = () => compose('up', '--detach', '--wait', '--wait-timeout', '180')
  const inImage = (...args: string[]) => compose('run', '--rm', 'api', ...args)
  const people = ['--organization', 'Acme Ltd', '--owner', 'ada@example.com', '--reviewer', 'grace@example.com']
  const steps: Step[] = [
    ['make-secrets.sh makes the secrets', () => run('sh', 'deploy/compose/make-secrets.sh')],
    ['compose starts everything', start],
    ['the first people get their links', () => inImage('bootstrap', ...people), /\/invitation\/ti_/],
    ['compose stops everything', () => compose('down')],
    ['compose starts everything again', start],
    ['what was stored is there', () => inImage('invite', 'reviewer', 'alan@example.com'), /\/invitation\/ti_/],
  ]
  const taken: [what: string, problem: string | null][] = []
  for (const [what, take, expected = /^/] of steps) {
    const { isGood, says } = take()
    const isRight = isGood && expected.test(says)
    taken.push([what, isRight ? null : `${says}\n${compose('logs', '--no-color', '--tail', '20').says}`])
    if (!isRight) break
  }
  return taken
}

/** Without what names another project or other files (`COMPOSE_…`), and without what compose.yaml passes on. */
function ownVariables(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => /^(PATH|HOME|DOCKER_.*)$/.test(name))
  return Object.fromEntries(kept)
}
