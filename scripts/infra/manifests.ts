import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ConfigError, describeEnvironment, loadConfig } from '../../engine/config.ts'
import { selfSigned } from '../../test/support/certificate.ts'

/** Variables of a container that are not the service's own: those of Node and of the C library. */
const ofOthers = /^(NODE_|MALLOC_)/

/**
 * What is wrong with the variables of a container. Each NAME_FILE is read as if its file held a good value. `image` are
 * the variables that the image sets itself.
 */
export function problemsOf(variables: Record<string, string>, image: Record<string, string> = {}): string[] {
  const all = { ...image, ...variables }
  const known = new Set(describeEnvironment().map(({ name }) => name))
  const unknown = Object.keys(all).filter((name) => !known.has(name.replace(/_FILE$/, '')) && !ofOthers.test(name))
  if (unknown.length > 0) return unknown.map((name) => `${name} is no variable of the service`)
  const folder = mkdtempSync(join(tmpdir(), 'steadypay-variables-'))
  try {
    loadConfig({ ...all, ...writeSecrets(Object.keys(all), folder) })
    return []
  } catch (error) {
    if (error instanceof ConfigError) return [...error.errors]
    throw error
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const key = Buffer.alloc(32, 7).toString('base64')
const certificate = selfSigned('worker')
const goodSecrets: Record<string, string> = {
  DATABASE_URL: 'postgres://user:password@database:5432/steadypay',
  ENCRYPTION_KEYS: `k1:${key}`,
  KEY_PEPPER: key,
  RATES_URL: 'https://rates.example.com/latest',
  TEMPORAL_TLS_CA: certificate.cert,
  TEMPORAL_TLS_CERT: certificate.cert,
  TEMPORAL_TLS_KEY: certificate.key,
}

/** Writes a good value for each NAME_FILE, with a line end as editors leave it. Returns the names of the files. */
function writeSecrets(names: string[], folder: string): Record<string, string> {
  const files: Record<string, string> = {}
  for (const name of names.filter((each) => each.endsWith('_FILE'))) {
    files[name] = join(folder, name)
    writeFileSync(files[name], `${goodSecrets[name.slice(0, -'_FILE'.length)] ?? ''}\n`)
  }
  return files
}

/** The variables that a Dockerfile sets in its last stage. */
export function variablesOfImage(dockerfile: string): Record<string, string> {
  const last = dockerfile.slice(dockerfile.lastIndexOf('\nFROM ')).replaceAll('\\\n', ' ')
  const lines = last.split('\n').filter((line) => line.startsWith('ENV '))
  const pairs = lines.flatMap((line) => line.slice('ENV '.length).trim().split(/\s+/))
  return Object.fromEntries(pairs.map((pair) => pair.split(/=(.*)/s) as [string, string]))
}
