import type { RiskLimits } from '../domain/payout/risk.ts'
import type { ProviderAccess } from '../rails/providers.ts'
import { type Queue, queues } from '../domain/process-contract.ts'
import { providersIn, providerVariables, wrongProviders } from './provider-config.ts'
import { readFileSync } from 'node:fs'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import {
  temporalIn,
  type TemporalAccess,
  type TemporalVariables,
  temporalVariables,
  wrongTemporal,
} from './temporal-config.ts'
import { Environment, type Variables } from './environment.ts'
import type { About } from './variable.ts'

/** The configuration of a process, checked. `publicUrl` has no slash at its end. */
export type Config = {
  databaseUrl: string
  databasePool: number
  temporal: TemporalAccess
  temporalNamespace: string
  /** Has no slash at its end. Null if not configured. */
  temporalUiUrl: string | null
  taskQueue: string
  webhookTaskQueue: string
  /** The queues that a worker works on. */
  workerQueues: readonly Queue[]
  /** The release of a worker, among those of the service at this task queue. Null: workers have no releases. */
  workerVersion: { deploymentName: string; buildId: string } | null
  /** Undefined: the worker bundles the workflows itself. */
  workflowBundles: string | undefined
  host: string
  port: number
  /** Where each process serves its metrics. Null: nowhere. */
  metrics: { host: string; port: number } | null
  /** How long the API goes on answering once it was told to stop. */
  drainMs: number
  /** Where traces are sent, and the share of calls that are traced. Null: nothing is traced. */
  tracing: { url: string; headers: Record<string, string>; ratio: number } | null
  publicUrl: string
  trustedProxyHops: number
  deployment: Variables['DEPLOYMENT']
  encryptionKeys: string
  keyPepper: Buffer
  /** Null: no mail is sent. */
  smtpUrl: string | null
  mailFrom: string
  /** Null: exchange rates are the sandbox's fixed table. */
  ratesUrl: string | null
  ratesKey: string | null
  /** The providers that serve live calls, each null if it is not configured. */
  providers: ProviderAccess
  allowLoopbackWebhooks: boolean
  /** The limits above which a live payout is held for review. */
  riskLimits: RiskLimits
  /** In US dollars: above this worth, an operator action on a stuck payout needs a second person's approval. */
  secondApprovalAboveUsd: string
  logLevel: Variables['LOG_LEVEL']
}

/** All errors of a configuration at once. The message names the variables and never shows a secret. */
export class ConfigError extends Error {
  readonly errors: readonly string[]

  constructor(errors: readonly string[]) {
    super(`The configuration has ${errors.length} error${errors.length === 1 ? '' : 's'}:\n  ${errors.join('\n  ')}`)
    this.name = 'ConfigError'
    this.errors = errors
  }
}

/**
 * Reads the configuration from environment variables; each may also come from the file that NAME_FILE names (as
 * container secrets do). An empty variable counts as absent. Throws a ConfigError that lists every error.
 */
export function loadConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const { values, errors } = readVariables(env, Object.keys(Environment.properties) as (keyof Variables)[])
  if (errors.length === 0)
    errors.push(...forbiddenTogether(values), ...wrongProviders(values), ...wrongTemporal(values))
  if (errors.length > 0) throw new ConfigError(errors)
  return toConfig(values)
}

/** Reads only how the providers are reached, and our own address. Throws a `ConfigError` if any of it is wrong. */
export function loadProviders(
  env: NodeJS.ProcessEnv = process.env,
): Pick<Config, 'providers' | 'publicUrl' | 'deployment'> {
  const { values, errors } = readVariables(env, [...providerVariables, 'PUBLIC_URL', 'HOST', 'PORT'])
  if (errors.length === 0) errors.push(...wrongProviders(values))
  if (errors.length > 0) throw new ConfigError(errors)
  return { providers: providersIn(values), publicUrl: publicUrlOf(values), deployment: values.DEPLOYMENT }
}

/** These variables with their defaults, and what is wrong with them. The values are good if nothing is. */
function readVariables<Name extends keyof Variables>(env: NodeJS.ProcessEnv, names: readonly Name[]) {
  const errors: string[] = []
  const schema = Type.Pick(Environment, [...names])
  const read = names.map((name) => [name, readVariable(env, name, errors)] as const)
  const values = Value.Default(schema, Object.fromEntries(read.filter(([, value]) => value !== undefined)))
  // The first error of each variable counts.
  const wrong = new Map(
    Value.Errors(schema, values)
      .toReversed()
      .flatMap((error) => namesIn(error).map((name) => [name, error])),
  )
  for (const about of describeEnvironment()) {
    const known = errors.some((error) => error.startsWith(about.name))
    const problem = wrong.get(about.name)
    if (problem && !known) errors.push(configError(about, values as Record<string, unknown>, problem))
  }
  return { values: values as Pick<Variables, Name>, errors }
}

/** Reads only where the database is and which keys encrypt in it. Throws a `ConfigError` if any of it is wrong. */
export function loadStorage(env: NodeJS.ProcessEnv = process.env): Pick<Config, 'databaseUrl' | 'encryptionKeys'> {
  const { values, errors } = readVariables(env, ['DATABASE_URL', 'ENCRYPTION_KEYS'])
  if (errors.length > 0) throw new ConfigError(errors)
  return { databaseUrl: values.DATABASE_URL, encryptionKeys: values.ENCRYPTION_KEYS }
}

/** Reads only how the engine is reached. Throws a `ConfigError` if any of it is missing or wrong. */
export function loadTemporal(env: NodeJS.ProcessEnv = process.env): Pick<Config, 'temporal' | 'temporalNamespace'> {
  const { values, errors } = readVariables(env, temporalVariables)
  if (errors.length === 0) errors.push(...wrongTemporal(values))
  if (errors.length > 0) throw new ConfigError(errors)
  return reachedBy(values)
}

const reachedBy = (values: TemporalVariables) => ({
  temporal: temporalIn(values),
  temporalNamespace: values.TEMPORAL_NAMESPACE,
})

/** Reads only how the engine is reached, and by which name it knows the workers of this service. */
export function loadDeployment(
  env: NodeJS.ProcessEnv = process.env,
): Pick<Config, 'temporal' | 'temporalNamespace' | 'taskQueue' | 'webhookTaskQueue'> & { deploymentName: string } {
  const { values, errors } = readVariables(env, [...temporalVariables, 'TASK_QUEUE'])
  if (errors.length === 0) errors.push(...wrongTemporal(values))
  if (errors.length > 0) throw new ConfigError(errors)
  return { ...reachedBy(values), ...taskQueuesOf(values), deploymentName: deploymentNameOf(values) }
}

const taskQueuesOf = ({ TASK_QUEUE }: Pick<Variables, 'TASK_QUEUE'>) => ({
  taskQueue: TASK_QUEUE,
  webhookTaskQueue: `${TASK_QUEUE}-webhooks`,
})

/** Each service of an engine has its own task queue. The engine allows no dot in the name of a deployment. */
const deploymentNameOf = ({ TASK_QUEUE }: Pick<Variables, 'TASK_QUEUE'>) => TASK_QUEUE.replaceAll('.', '-')

/** Reads only the database's address. Throws a `ConfigError` if it is missing or wrong. */
export function loadDatabaseUrl(env: NodeJS.ProcessEnv = process.env): string {
  const { values, errors } = readVariables(env, ['DATABASE_URL'])
  if (errors.length > 0) throw new ConfigError(errors)
  return values.DATABASE_URL
}

function readVariable(env: NodeJS.ProcessEnv, name: string, errors: string[]): string | number | undefined {
  const file = env[`${name}_FILE`]
  const given = env[name]
  if (!file) return toValue(name, given)
  if (given) errors.push(`${name} and ${name}_FILE must not both be set`)
  try {
    return toValue(name, readFileSync(file, 'utf8').trim())
  } catch (error) {
    errors.push(`${name}_FILE must name a readable file (${(error as NodeJS.ErrnoException).code ?? 'unreadable'})`)
    return undefined
  }
}

function toValue(name: string, given: string | undefined): string | number | undefined {
  if (given === undefined || given === '') return undefined
  const isNumber = Type.IsInteger(Environment.properties[name as keyof Variables])
  return isNumber && /^\d+$/.test(given) ? Number(given) : given
}

type ConfigProblem = ReturnType<typeof Value.Errors>[number]

const namesIn = (error: ConfigProblem): string[] =>
  error.keyword === 'required' ? error.params.requiredProperties : [error.instancePath.slice(1)]

function configError(about: VariableDescription, values: Record<string, unknown>, problem: ConfigProblem): string {
  const { name, must, secret } = about
  const value = values[name]
  if (value === undefined) return `${name} is missing; it must be ${must}`
  if (problem.keyword === '~refine') return `${name} must be ${must}: ${problem.params.message}`
  return `${name} must be ${must}${secret ? '' : `, and is ${JSON.stringify(value)}`}`
}

function forbiddenTogether(values: Variables): string[] {
  if (values.DEPLOYMENT !== 'live') return []
  const errors = []
  if (values.ALLOW_LOOPBACK_WEBHOOKS === 1) errors.push('ALLOW_LOOPBACK_WEBHOOKS must be 0 where DEPLOYMENT is live')
  if (values.PUBLIC_URL === '') errors.push('PUBLIC_URL is missing; DEPLOYMENT live needs it')
  if (values.RATES_URL === '') errors.push('RATES_URL is missing; DEPLOYMENT live needs it')
  return errors
}

/** The public address; without one that of the port that the API listens on. */
function publicUrlOf({ PUBLIC_URL, HOST, PORT }: Pick<Variables, 'PUBLIC_URL' | 'HOST' | 'PORT'>): string {
  const ownUrl = `http://${HOST.includes(':') ? `[${HOST}]` : HOST}:${PORT}`
  return (PUBLIC_URL || ownUrl).replace(/\/+$/, '')
}

const queuesOf: Record<Variables['WORKER_QUEUES'], readonly Queue[]> = {
  all: queues,
  money: ['main'],
  webhooks: ['webhooks'],
}

function tracingIn(values: Variables): Config['tracing'] {
  const url = values.OTEL_EXPORTER_OTLP_ENDPOINT.replace(/\/+$/, '')
  if (url === '') return null
  const sent = values.OTEL_EXPORTER_OTLP_HEADERS.split(',').filter(Boolean)
  const headers = sent.map((text) => {
    const at = text.indexOf('=')
    return [text.slice(0, at), decodeURIComponent(text.slice(at + 1))]
  })
  const ratio = Math.min(1, Number(values.OTEL_TRACES_SAMPLER_ARG))
  return { url, headers: Object.fromEntries(headers) as Record<string, string>, ratio }
}

function toConfig(values: Variables): Config {
  return {
    databaseUrl: values.DATABASE_URL,
    databasePool: values.DATABASE_POOL,
    ...reachedBy(values),
    temporalUiUrl: values.TEMPORAL_UI_URL.replace(/\/$/, '') || null,
    ...taskQueuesOf(values),
    workerQueues: queuesOf[values.WORKER_QUEUES],
    workerVersion: values.WORKER_BUILD_ID
      ? { deploymentName: deploymentNameOf(values), buildId: values.WORKER_BUILD_ID }
      : null,
    workflowBundles: values.WORKFLOW_BUNDLES || undefined,
    host: values.HOST,
    port: values.PORT,
    metrics: values.METRICS_PORT === '' ? null : { host: values.METRICS_HOST, port: Number(values.METRICS_PORT) },
    drainMs: values.DRAIN_SECONDS * 1000,
    tracing: tracingIn(values),
    publicUrl: publicUrlOf(values),
    trustedProxyHops: values.TRUSTED_PROXY_HOPS,
    deployment: values.DEPLOYMENT,
    encryptionKeys: values.ENCRYPTION_KEYS,
    keyPepper: Buffer.from(values.KEY_PEPPER, 'base64'),
    smtpUrl: values.SMTP_URL || null,
    mailFrom: values.MAIL_FROM,
    ratesUrl: values.RATES_URL || null,
    ratesKey: values.RATES_KEY || null,
    riskLimits: {
      amountUsd: String(values.REVIEW_PAYOUT_ABOVE_USD),
      firstToDestinationUsd: String(values.REVIEW_FIRST_PAYOUT_ABOVE_USD),
      withinAnHour: values.REVIEW_PAYOUTS_PER_HOUR,
    },
    secondApprovalAboveUsd: String(values.SECOND_APPROVAL_ABOVE_USD),
    providers: providersIn(values),
    allowLoopbackWebhooks: values.ALLOW_LOOPBACK_WEBHOOKS === 1,
    logLevel: values.LOG_LEVEL,
  }
}

export type VariableDescription = About & { name: string; default?: string | number }

/** Every variable, for .env.example and for messages. `About` is what each schema above has been given. */
export const describeEnvironment = (): VariableDescription[] =>
  Object.entries(Environment.properties).map(([name, schema]) => ({ name, ...(schema as unknown as About) }))
