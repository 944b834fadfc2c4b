// npm run check-deployment: renders the Helm chart and checks what comes out, tests the alerts, builds the image, and
// starts compose.yaml with it.
// Each part needs a tool that may not be here, and says so if it is left out. What needs none is tested by
// test/code/deployment.test.ts and test/code/alerts.test.ts.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'
import { goProgram } from './infra/go-program.ts'
import { ROOT } from './infra/paths.ts'
import { pythonPackages } from './infra/python-packages.ts'
import { problemsOf, variablesOfImage } from './infra/manifests.ts'
import { runProgram } from './infra/run-program.ts'
import { SetupError } from './infra/session.ts'
import { tryCompose } from './image/compose-trial.ts'

const chart = 'deploy/helm/steadypay'
const required = ['config.PUBLIC_URL=https://pay.example.com', 'config.TEMPORAL_ADDRESS=temporal:7233']
const all = 'workers.webhooks=null,workers.money.queues=all'
const build = 'workerBuild=V2026-12-01_1.a'
const collector = 'networkPolicy.extraEgress[0].ports[0].protocol=TCP,networkPolicy.extraEgress[0].ports[0].port=4318'
const overTls =
  'config.TEMPORAL_TLS=1,secret.keys={DATABASE_URL,ENCRYPTION_KEYS,KEY_PEPPER,RATES_URL,TEMPORAL_TLS_CA,' +
  'TEMPORAL_TLS_CERT,TEMPORAL_TLS_KEY,TEMPORAL_API_KEY}'
type Variant = {
  values: string[]
  /** A file of further values. */
  file?: string
  /** What these values make that is not there without them. */
  makes?: RegExp
  /** What every pod then has, as JSON. */
  everyPod?: string[]
  /** The chart refuses these values, and says this. */
  refuses?: RegExp
}
const variants: Variant[] = [
  { values: [] },
  { values: [build] },
  {
    values: ['ingress.enabled=true,ingress.host=pay.example.com,ingress.tlsSecret=tls'],
    makes: /kind: Ingress$[^]* {2}annotations:\n {4}nginx.ingress.kubernetes.io\/proxy-body-size: 11m$/m,
  },
  // An annotation of one's own does not take that one away.
  {
    values: ['ingress.enabled=true,ingress.host=pay.example.com,ingress.annotations.owner=us'],
    makes: /kind: Ingress$[^]*proxy-body-size: 11m\n {4}owner: us$/m,
  },
  { values: [all] },
  { values: [overTls], makes: /name: TEMPORAL_TLS_KEY_FILE\n +value: \/run\/secrets\/TEMPORAL_TLS_KEY$/m },
  { values: [collector], makes: /^ {4}- ports:\n {6}- port: 4318\n {8}protocol: TCP$/m },
  {
    values: ['metrics.podMonitor.enabled=true,metrics.podMonitor.labels.release=prometheus'],
    makes: /kind: PodMonitor\n[^]* {4}release: prometheus$[^]*targetLabel: job, replacement: steadypay /m,
  },
  // Without quotes these are numbers.
  {
    values: [],
    file:
      'workerBuild: 20261201\nimage: { tag: 20261201 }\n' +
      'config: { REVIEW_PAYOUT_ABOVE_USD: 10000000, TASK_QUEUE: 20261201 }\n',
    makes: /steadypay:20261201$[^]*value: "10000000"$[^]*worker-build: "20261201"$[^]*task_queue: "20261201"$/m,
  },
  {
    values: ['config.DATABASE_POOL=25'],
    everyPod: ['{"name":"DATABASE_POOL","value":"25"}'],
  },
  // The pod that migrates has to run where the others may.
  {
    values: ['tolerations[0].key=x,nodeSelector.pool=money,imagePullSecrets[0].name=pull'],
    everyPod: ['"tolerations":[{"key":"x"}]', '"nodeSelector":{"pool":"money"}', '[{"name":"pull"}]'],
  },
  // An annotation may have a service mesh put a container into a pod, and that of the Job would never end.
  {
    values: ['podAnnotations.owner=us'],
    makes:
      /^(?![^]*\nkind: Job\n(?:(?!\n---\n)[^])* owner: us\n)[^]*\nkind: Deployment\n(?:(?!\n---\n)[^])* owner: us\n/,
  },
  // Without ports there is no rule: one with an empty list would allow all of them.
  { values: [], file: 'networkPolicy: { internetPorts: [] }\n', makes: /^(?![^]*ipBlock)[^]*\nkind: NetworkPolicy\n/ },
  { values: ['api.replicas=10'], refuses: /api\.replicas must be from 1 to api\.autoscaling\.max/ },
  { values: ['workers.money.replicas=0'], refuses: /workers\.money\.replicas must be from 1 to/ },
  { values: ['api.replicas=10,api.autoscaling.enabled=false'], makes: /^ {2}replicas: 10$/m },
]

const dockerfile = readFileSync(join(ROOT, 'Dockerfile'), 'utf8')
const ofImage = variablesOfImage(dockerfile)
const baseImage = /^ARG NODE_IMAGE=(.*)$/m.exec(dockerfile)?.[1] ?? ''

let hasFailed = false
const renderer = await findHelm()
const validator = renderer === null ? null : await findValidator()
if (renderer !== null) for (const variant of variants) checkChart(renderer, variant)
else console.log('There is neither helm nor Go to build it: the chart is not rendered.')
await testAlerts()
buildImage()
if (hasFailed) process.exitCode = 1

function run(
  command: string,
  args: string[],
  { env = {}, input = '' }: { env?: NodeJS.ProcessEnv; input?: string } = {},
) {
  return runProgram(command, args, { env: { ...process.env, ...env }, input })
}

function has(command: string): boolean {
  return run('sh', ['-c', `command -v ${command}`]).isGood
}

function report(what: string, problem: string | null): void {
  console.log(`${problem === null ? '✔' : '✖'} ${what}`)
  if (problem === null) return
  hasFailed = true
  console.log(problem.trimEnd().replace(/^/gm, '    '))
}

/** Helm takes two minutes to build, once. */
async function findHelm(): Promise<string | null> {
  if (has('helm')) return 'helm'
  console.log('Looking for helm in the cache; without one it is built with Go ...')
  return goProgram('helm', '3.19.2', 'helm.sh/helm/v3/cmd/helm')
}

/** Runs kubernetes-validate, which pip installs once. Null where it cannot be had. */
async function findValidator(): Promise<((file: string) => ReturnType<typeof run>) | null> {
  const requirements = join(ROOT, 'deploy/helm/kubernetes-validate.txt')
  const folder = await pythonPackages('kubernetes-validate', requirements).catch((error: unknown) => {
    if (!(error instanceof SetupError)) throw error
    console.log(`${error.message.trimEnd()}\nNo schema of Kubernetes is checked.`)
    return null
  })
  if (folder === null) return null
  const command = join(folder, 'bin/kubernetes-validate')
  return (file) => run(command, ['--strict', '--quiet', file], { env: { PYTHONPATH: folder } })
}

/** Runs the alerts on series that ops/prometheus/alerts.test.yaml makes up. */
async function testAlerts(): Promise<void> {
  console.log('Looking for promtool; without one it is built with Go, which takes some minutes, once ...')
  const module = 'github.com/prometheus/prometheus/cmd/promtool'
  const promtool = has('promtool') ? 'promtool' : await goProgram('promtool', '0.307.3', module)
  if (promtool === null) return console.log('There is neither promtool nor Go to build it: the alerts are not tested.')
  for (const [what, ...args] of [
    ['the alerts are valid', 'check', 'rules', 'ops/prometheus/alerts.yaml'],
    ['the alerts fire when they should', 'test', 'rules', 'ops/prometheus/alerts.test.yaml'],
  ] as const) {
    const { isGood, says } = run(promtool, [...args])
    report(what, isGood ? null : says)
  }
}

function checkChart(helm: string, variant: Variant): void {
  const { values, file: input = '', makes = /^/, everyPod = [], refuses } = variant
  const set = [...required, ...values].flatMap((value) => ['--set', value])
  const what = `the chart${values.length > 0 ? ` with ${values.join(' ')}` : ''}${input && ' with a file of values'}`
  const args = ['template', 'live', chart, '--kube-version', '1.36.0', '--values', '-', ...set]
  const { isGood, stdout, says } = run(helm, args, { input })
  if (refuses) return report(`${what} is refused`, !isGood && refuses.test(says) ? null : says)
  report(`${what} is rendered`, isGood ? null : says)
  if (!isGood) return
  const lacking = podsOf(stdout).flatMap((pod) => everyPod.filter((part) => !pod.includes(part)))
  const asked = [...(makes.test(stdout) ? [] : [String(makes)]), ...lacking]
  report(`${what} has what these values ask for`, asked.length === 0 ? null : `${asked.join('\n')}\nis not in it`)
  const found = containersOf(stdout).flatMap(({ name, env }) =>
    problemsOf(env, ofImage).map((each) => `${name}: ${each}`),
  )
  report(`${what} has the variables that the service needs, and no others`, found.length > 0 ? found.join('\n') : null)
  checkOneOff(stdout, what)
  if (validator === null) return
  const folder = mkdtempSync(join(tmpdir(), 'steadypay-chart-'))
  const file = join(folder, 'rendered.yaml')
  // The schema of a PodMonitor is the Prometheus Operator's, not one of Kubernetes.
  const ofKubernetes = stdout.split(/^---$/m).filter((document) => !document.includes('kind: PodMonitor'))
  writeFileSync(file, ofKubernetes.join('---'))
  const checked = validator(file)
  rmSync(folder, { recursive: true })
  report(`${what} fits the schemas of Kubernetes`, checked.isGood ? null : checked.says)
}

/**
 * What deploy/helm/one-off.jq makes of a worker's Deployment: a pod with another command, that no probe ends, that
 * nobody asks for metrics, and that no annotation gives a container of a service mesh, which would not end.
 */
function checkOneOff(manifests: string, of: string): void {
  if (!has('jq')) return console.log('There is no jq: the pod for one command is not checked.')
  const rendered = parseAllDocuments(manifests).map((document) => document.toJS() as { kind?: string } | null)
  const input = JSON.stringify(rendered.find((each) => each?.kind === 'Deployment'))
  const command = ['restore', 'engine', '--older', '--dry-run'] // after `--` jq takes no word for an option of its own
  const made = run('jq', ['-f', 'deploy/helm/one-off.jq', '--args', '--', ...command], { input })
  const { spec } = JSON.parse(made.stdout || '{}') as { spec?: { containers: { args: string[] }[] } }
  const [container] = spec?.containers ?? []
  const isRight = container?.args.join(' ') === command.join(' ') && !/Probe"|"ports"|"annotations"/.test(made.stdout)
  report(`${of} has a Deployment of which one-off.jq makes a pod for one command`, isRight ? null : made.says)
}

/** The pods that the manifests make, each as JSON. */
function podsOf(manifests: string): string[] {
  const rendered = parseAllDocuments(manifests).map((document) => document.toJS() as Rendered | null)
  return rendered.flatMap((each) => (each?.spec?.template ? [JSON.stringify(each.spec.template)] : []))
}

type Container = { name: string; env?: { name: string; value: string }[] }
type Rendered = { spec?: { template?: { spec?: { initContainers?: Container[]; containers?: Container[] } } } }

function containersOf(manifests: string) {
  const rendered = parseAllDocuments(manifests).map((document) => document.toJS() as Rendered | null)
  const specs = rendered.flatMap((each) => each?.spec?.template?.spec ?? [])
  const containers = specs.flatMap((spec) => [...(spec.initContainers ?? []), ...(spec.containers ?? [])])
  return containers.map(({ name, env = [] }) => ({
    name,
    env: Object.fromEntries(env.map((each) => [each.name, each.value])),
  }))
}

/** Builds the image with a builder that works here. The base image comes from a registry, or is that of NODE_IMAGE. */
function buildImage(): void {
  const base = process.env['NODE_IMAGE']
  const args = ['--tag', 'steadypay:local', ...(base ? ['--build-arg', `NODE_IMAGE=${base}`] : []), '.']
  const commands = { docker: ['build'], buildah: ['build', '--format', 'docker'] }
  const builder = has('docker') && run('docker', ['info']).isGood ? 'docker' : has('buildah') ? 'buildah' : null
  if (!builder) return console.log('No builder is here (docker with its engine, or buildah): the image is not built.')
  if (!base && builder === 'buildah' && !run('buildah', ['pull', baseImage]).isGood)
    return console.log(`${baseImage} cannot be had here: the image is not built.`)
  const { isGood, says } = run(builder, [...commands[builder], ...args])
  report('the image is built', isGood ? null : says.slice(-3_000))
  if (isGood && builder === 'docker') startCompose()
}

function startCompose(): void {
  if (!run('docker', ['compose', 'version']).isGood)
    return console.log('There is no docker compose: it is not started.')
  const trial = tryCompose()
  if ('lacking' in trial) return console.log(`${trial.lacking} cannot be had here: compose.yaml is not started.`)
  for (const [what, problem] of trial.steps) report(what, problem)
}
