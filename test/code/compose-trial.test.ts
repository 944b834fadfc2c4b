import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { parse } from 'yaml'
import { apart, tryCompose } from '../../scripts/image/compose-trial.ts'
import { ROOT } from '../../scripts/infra/paths.ts'

/** Tries compose with a `docker` that only notes how it is called, beside a service of this machine. */
function tryWith(script: string) {
  const folder = mkdtempSync(join(tmpdir(), 'steadypay-docker-'))
  const before = { ...process.env }
  const notes = join(folder, 'called')
  writeFileSync(
    join(folder, 'docker'),
    `#!/bin/sh\nenv | sed -n 's/^COMPOSE_/given COMPOSE_/p' >>'${notes}'\necho "$*" >>'${notes}'\n${script}\n`,
    { mode: 0o755 },
  )
  const ofService = { COMPOSE_PROJECT_NAME: 'steadypay', COMPOSE_FILE: '/srv/steadypay/compose.yaml' }
  Object.assign(process.env, ofService, { PATH: `${folder}:${before['PATH']}` })
  try {
    const trial = tryCompose()
    return { trial, calls: existsSync(notes) ? readFileSync(notes, 'utf8').trim().split('\n') : [] }
  } finally {
    for (const name of Object.keys(ofService)) delete process.env[name]
    Object.assign(process.env, before)
    rmSync(folder, { recursive: true })
  }
}

test('a trial of compose touches no other project, whatever the shell names', () => {
  const { trial, calls } = tryWith('case "$*" in *"config --images") echo steadypay:local;; esac')
  assert.ok('steps' in trial)
  const ours = 'compose --project-name steadypay-trial --file compose.yaml --file compose.override.yaml '
  const others = calls.filter((call) => !call.startsWith(ours))
  assert.deepEqual(others, ['image inspect steadypay:local'])
  assert.equal(
    calls.findIndex((call) => / up /.test(call)) > calls.findIndex((call) => / down --volumes/.test(call)),
    true,
  )
  assert.match(calls.at(-1) ?? '', / down --volumes/)
})

test('a compose file that cannot be read is a failure, and not an image that is missing', () => {
  const { trial } = tryWith('case "$*" in *"config --images") echo "line 7: wrong" >&2; exit 1;; esac')
  assert.deepEqual(trial, { steps: [['compose.yaml can be read', 'line 7: wrong\n']] })
})

test('a trial of compose publishes no port, and builds nothing', () => {
  type Services = { services: Record<string, { ports?: unknown; build?: unknown }> }
  const { services } = parse(readFileSync(join(ROOT, 'compose.yaml'), 'utf8'), { merge: true }) as Services
  const set = (parse(apart.replaceAll('!reset ', '')) as Services).services
  for (const [name, { ports, build }] of Object.entries(services)) {
    assert.equal(ports === undefined, set[name]?.ports === undefined, `the ports of ${name}`)
    assert.equal(build === undefined, set[name]?.build === undefined, `the build of ${name}`)
  }
})
