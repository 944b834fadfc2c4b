import { readFileSync } from 'node:fs'
import { Type, type Static } from 'typebox'
import { Value } from 'typebox/value'

/** What a variable's schema carries beside its type: `must` completes "NAME must be …"; `example` is shown. */
type About = { description: string; must: string; example?: string; secret?: true }

const text = (about: About & { pattern: string; default?: string }) => Type.String(about)
const whole = (about: About & { minimum: number; maximum: number; default: number }) => Type.Integer(about)
const oneOf = <T extends string>(values: T[], about: Omit<About, 'must'> & { default: T }) =>
  Type.Enum(values, { ...about, must: `one of ${values.join(', ')}` })

const BASE64 = '[A-Za-z0-9+/_-]'

/** Every variable that the processes read, in the order of .env.example. No default means that it is required. */
const Environment = Type.Object({
  DATABASE_URL: text({
    description: 'PostgreSQL 18, the truth that merchants query.',
    pattern: '^postgres(ql)?://.+',
    must: 'a postgres:// address',
    example: 'postgres://steadypay:password@127.0.0.1:5432/steadypay',
    secret: true, // holds a password
  }),
  DATABASE_POOL: whole({
    description: 'Connections to PostgreSQL at most, per process.',
    minimum: 1,
    maximum: 200,
    default: 10,
    must: 'a whole number from 1 to 200',
  }),
  TEMPORAL_ADDRESS: text({
    description: 'The Temporal service, which holds what happens next.',
    pattern: '^[^\\s/:]+:\\d{1,5}$|^\\[[0-9a-fA-F:]+\\]:\\d{1,5}$',
    must: 'host:port',
    example: '127.0.0.1:7233',
  }),
  TEMPORAL_NAMESPACE: text({
    description: 'The namespace of the processes.',
    pattern: '^\\S+$',
    default: 'default',
    must: 'a name without spaces',
  }),
  TASK_QUEUE: text({
    description: 'Task queue of the processes; webhooks have their own, this name with "-webhooks" at its end.',
    pattern: '^[\\w.-]{1,200}$',
    default: 'steadypay',
    must: 'a name of letters, digits, ".", "_" and "-"',
  }),
  WORKFLOW_BUNDLE: text({
    description: 'File with the bundled workflows; without one the worker bundles them itself as it starts.',
    pattern: '',
    default: '',
    must: 'the path of a file',
  }),
  HOST: text({
    description: 'Address that the API listens on.',
    pattern: '^\\S+$',
    default: '127.0.0.1',
    must: 'an IP address or host name',
  }),
  PORT: whole({
    description: 'Port that the API listens on; 0 takes a free one.',
    minimum: 0,
    maximum: 65_535,
    default: 3000,
    must: 'a port number from 0 to 65535',
  }),
  PUBLIC_URL: text({
    description: 'Where buyers and merchants reach the API; http://HOST:PORT when empty, which live refuses.',
    pattern: '^$|^https?://[^\\s?#]+$',
    default: '',
    must: 'an http:// or https:// address without query or fragment',
    example: 'https://pay.example.com',
  }),
  TRUSTED_PROXY_HOPS: whole({
    description: 'Proxies in front of the API whose X-Forwarded-For is believed.',
    minimum: 0,
    maximum: 10,
    default: 0,
    must: 'a whole number from 0 to 10',
  }),
  DEPLOYMENT: oneOf(['development', 'sandbox', 'live'], {
    description: 'What this deployment is for: development and sandbox have simulated rails only.',
    default: 'development',
  }),
  ENCRYPTION_KEYS: text({
    description:
      'Keys for what is stored encrypted, id:base64 of 32 bytes (openssl rand -base64 32), separated by commas. The ' +
      'first one encrypts, all of them decrypt: rotate by putting a new one in front.',
    pattern: `^[\\w-]{1,20}:${BASE64}{43}=?(\\s*,\\s*[\\w-]{1,20}:${BASE64}{43}=?)*$`,
    must: 'id:base64 of 32 bytes, several separated by commas',
    example: 'k1:',
    secret: true,
  }),
  KEY_PEPPER: text({
    description: 'Keys the hashes of API keys: base64 of at least 32 bytes. Changing it makes every API key invalid.',
    pattern: `^${BASE64}{43,}={0,2}$`,
    must: 'base64 of at least 32 bytes',
    secret: true,
  }),
  SMTP_URL: text({
    description: 'Where mails go out; without it none does. A deployment that is not live keeps its mails as well.',
    pattern: '^$|^smtps?://[^\\s]+$',
    default: '',
    must: 'an smtp:// or smtps:// address',
    secret: true, // holds a password
  }),
  MAIL_FROM: text({
    description: 'Sender of the mails.',
    pattern: '^[^\\s@]+@[^\\s@]+$',
    default: 'no-reply@localhost',
    must: 'an email address',
  }),
  ALLOW_LOOPBACK_WEBHOOKS: whole({
    description: '1 delivers webhooks to this machine too, over plain http. Refused where DEPLOYMENT is live.',
    minimum: 0,
    maximum: 1,
    default: 0,
    must: '0 or 1',
  }),
  LOG_LEVEL: oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
    description: 'The least serious messages that are logged.',
    default: 'info',
  }),
})

type Variables = Static<typeof Environment>

/** The configuration of a process, checked. `publicUrl` has no slash at its end. */
export type Config = {
  databaseUrl: string
  databasePool: number
  temporalAddress: string
  temporalNamespace: string
  taskQueue: string
  webhookTaskQueue: string
  /** Undefined: the worker makes its own. */
  workflowBundle: string | undefined
  host: string
  port: number
  publicUrl: string
  trustedProxyHops: number
  deployment: Variables['DEPLOYMENT']
  encryptionKeys: string
  keyPepper: Buffer
  /** Null: no mail goes out. */
  smtpUrl: string | null
  mailFrom: string
  allowLoopbackWebhooks: boolean
  logLevel: Variables['LOG_LEVEL']
}

/** Every fault of an environment at once; the message names the variables and never shows what is secret. */
export class ConfigError extends Error {
  readonly faults: readonly string[]

  constructor(faults: readonly string[]) {
    super(`The configuration has ${faults.length} fault${faults.length === 1 ? '' : 's'}:\n  ${faults.join('\n  ')}`)
    this.name = 'ConfigError'
    this.faults = faults
  }
}

/**
 * Reads the configuration from environment variables; each may also come from the file that NAME_FILE names (as
 * container secrets do). An empty variable counts as absent. Throws a ConfigError that lists every fault.
 */
export function loadConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const faults: string[] = []
  const read = Object.keys(Environment.properties).map((name) => [name, readVariable(env, name, faults)])
  const values = Value.Default(Environment, Object.fromEntries(read.filter(([, value]) => value !== undefined)))
  const wrong = new Set(Value.Errors(Environment, values).flatMap(namesIn))
  for (const about of describeEnvironment()) {
    const known = faults.some((fault) => fault.startsWith(about.name))
    if (wrong.has(about.name) && !known) faults.push(faultOf(about, values as Record<string, unknown>))
  }
  if (faults.length === 0) faults.push(...forbiddenTogether(values as Variables))
  if (faults.length > 0) throw new ConfigError(faults)
  return toConfig(values as Variables)
}

function readVariable(env: NodeJS.ProcessEnv, name: string, faults: string[]): string | number | undefined {
  const file = env[`${name}_FILE`]
  const given = env[name]
  if (!file) return toValue(name, given)
  if (given) faults.push(`${name} and ${name}_FILE must not both be set`)
  try {
    return toValue(name, readFileSync(file, 'utf8').trim())
  } catch (error) {
    faults.push(`${name}_FILE must name a readable file (${(error as NodeJS.ErrnoException).code ?? 'unreadable'})`)
    return undefined
  }
}

function toValue(name: string, given: string | undefined): string | number | undefined {
  if (given === undefined || given === '') return undefined
  const isNumber = Type.IsInteger(Environment.properties[name as keyof Variables])
  return isNumber && /^\d+$/.test(given) ? Number(given) : given
}

type Fault = ReturnType<typeof Value.Errors>[number]

const namesIn = (fault: Fault): string[] =>
  fault.keyword === 'required' ? fault.params.requiredProperties : [fault.instancePath.slice(1)]

function faultOf({ name, must, secret }: VariableDescription, values: Record<string, unknown>): string {
  const value = values[name]
  if (value === undefined) return `${name} is missing; it must be ${must}`
  return `${name} must be ${must}${secret ? '' : `, and is ${JSON.stringify(value)}`}`
}

function forbiddenTogether(values: Variables): string[] {
  if (values.DEPLOYMENT !== 'live') return []
  const faults = []
  if (values.ALLOW_LOOPBACK_WEBHOOKS === 1) faults.push('ALLOW_LOOPBACK_WEBHOOKS must be 0 where DEPLOYMENT is live')
  if (values.PUBLIC_URL === '') faults.push('PUBLIC_URL is missing; DEPLOYMENT live needs it')
  return faults
}

function toConfig(values: Variables): Config {
  const { HOST, PORT } = values
  const ownUrl = `http://${HOST.includes(':') ? `[${HOST}]` : HOST}:${PORT}`
  return {
    databaseUrl: values.DATABASE_URL,
    databasePool: values.DATABASE_POOL,
    temporalAddress: values.TEMPORAL_ADDRESS,
    temporalNamespace: values.TEMPORAL_NAMESPACE,
    taskQueue: values.TASK_QUEUE,
    webhookTaskQueue: `${values.TASK_QUEUE}-webhooks`,
    workflowBundle: values.WORKFLOW_BUNDLE || undefined,
    host: HOST,
    port: PORT,
    publicUrl: (values.PUBLIC_URL || ownUrl).replace(/\/+$/, ''),
    trustedProxyHops: values.TRUSTED_PROXY_HOPS,
    deployment: values.DEPLOYMENT,
    encryptionKeys: values.ENCRYPTION_KEYS,
    keyPepper: Buffer.from(values.KEY_PEPPER, 'base64'),
    smtpUrl: values.SMTP_URL || null,
    mailFrom: values.MAIL_FROM,
    allowLoopbackWebhooks: values.ALLOW_LOOPBACK_WEBHOOKS === 1,
    logLevel: values.LOG_LEVEL,
  }
}

export type VariableDescription = About & { name: string; default?: string | number }

/** Every variable, for .env.example and for messages. */
export const describeEnvironment = (): VariableDescription[] =>
  Object.entries(Environment.properties).map(([name, schema]) => ({ name, ...(schema as unknown as About) }))
