import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from '../infra/paths.ts'

const PROJECT = 'steadypay-trial'
/** Beside another project of the same file: no port is published, and no image is built. */
const apart = `
name: ${PROJECT}
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

type Run = { isGood: boolean; says: string }

/**
 * Starts everything that compose.yaml names, from nothing and then once more, with the image `steadypay:local`; makes
 * the first people as docs/guides/production.md says; and takes it away again. Returns each step with what went wrong,
 * or null; or the image that neither is here nor can be had.
 */
export function tryCompose(): { steps: [what: string, problem: string | null][] } | { lacking: string } {
  const folder = mkdtempSync(join(tmpdir(), 'steadypay-compose-'))
  const run = (command: string, ...args: string[]): Run => {
    const { status, stdout, stderr } = spawnSync(command, args, { cwd: folder, encoding: 'utf8' })
    return { isGood: status === 0, says: `${stdout ?? ''}${stderr ?? ''}` }
  }
  const compose = (...args: string[]) => run('docker', 'compose', ...args)
  for (const each of ['compose.yaml', 'deploy']) cpSync(join(ROOT, each), join(folder, each), { recursive: true })
  writeFileSync(join(folder, 'compose.override.yaml'), apart)
  try {
    const images = [...new Set(compose('config', '--images').says.trim().split('\n'))]
    const isHere = (image: string) =>
      run('docker', 'image', 'inspect', image).isGood || run('docker', 'pull', image).isGood
    const lacking = images.find((image) => !isHere(image))
    if (lacking !== undefined) return { lacking }

    const isUp = () => compose('up', '--detach', '--wait', '--wait-timeout', '180')
    const people = ['--organization', 'Acme Ltd', '--owner', 'ada@example.com', '--reviewer', 'grace@example.com']
    const steps: [string, () => Run, RegExp?][] = [
      ['make-secrets.sh makes the secrets', () => run('sh', 'deploy/compose/make-secrets.sh')],
      ['compose starts everything', isUp],
      [
        'the first people get their links',
        () => compose('run', '--rm', 'api', 'bootstrap', ...people),
        /\/invitation\/ti_/,
      ],
      ['compose stops everything', () => compose('down')],
      ['compose starts everything again, with what is stored', isUp],
      [
        'the organization is there',
        () => compose('run', '--rm', 'api', 'invite', 'reviewer', 'alan@example.com'),
        /\/ti_/,
      ],
    ]
    const done: [string, string | null][] = []
    for (const [what, step, expected = /^/] of steps) {
      const { isGood, says } = step()
      const isRight = isGood && expected.test(says)
      done.push([what, isRight ? null : `${says}\n${compose('logs', '--no-color', '--tail', '20').says}`])
      if (!isRight) break
    }
    return { steps: done }
  } finally {
    compose('down', '--volumes', '--timeout', '40')
    rmSync(folder, { recursive: true })
  }
}
