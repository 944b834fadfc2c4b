import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Environment } from '../domain/access/scope.ts'
import { credentialFile, readCredential, renewSession } from './credential.ts'
import { Failure } from './failure.ts'

/**
 * Where the service is and who calls it. `keySource` says where the key was read; the key itself is never shown. With a
 * `session` the key is a person's access token, of which the session gives the next one.
 */
export type Connection = { baseUrl: string; apiKey: string; keySource: string; session?: Session }
export type Session = { environment: Environment; renew(refused: string): Promise<string | null> }

type Sources = {
  baseUrl?: string | undefined
  env?: NodeJS.ProcessEnv
  file?: string
  /** The file of `steadypay login`. */
  credentials?: string
}
type DevelopmentFile = { base_url?: string; api_key?: string | null }

const developmentFile = join(import.meta.dirname, '../.local/dev.json')

/**
 * Each value comes from the options, else from the environment, else from `steadypay login`, else from the file that
 * `npm start` writes. What a login has stored is for its own address only.
 */
export function findConnection(sources: Sources): Connection {
  const { baseUrl, env = process.env, file = developmentFile } = sources
  const key = env['STEADYPAY_API_KEY']
  const address = baseUrl || env['STEADYPAY_BASE_URL']
  const stored = key && address ? null : storedFor(address, sources.credentials ?? credentialFile(env), key)
  if (stored && !key) return stored
  const known = key && (address || stored) ? {} : readDevelopmentFile(file)
  const apiKey = key || known.api_key
  const found = address || stored?.baseUrl || known.base_url
  if (!apiKey) throw missing('API key', 'STEADYPAY_API_KEY')
  if (!found) throw missing('service URL', 'STEADYPAY_BASE_URL')
  return { baseUrl: readAddress(found), apiKey, keySource: key ? 'STEADYPAY_API_KEY' : '.local/dev.json' }
}

/**
 * What a login has stored, if it is for this address. Without an address it says where a key of the environment goes,
 * so a file that cannot be used is refused then too: the key might go to another service.
 */
function storedFor(address: string | undefined, file: string, key?: string): Connection | null {
  const credential = readCredential(file, key ? ' With STEADYPAY_BASE_URL set, your key does not need this file.' : '')
  if (!credential) return null
  const { base_url: baseUrl, kind } = credential
  if (address && readAddress(address) !== baseUrl) return null
  if (kind === 'api_key') return { baseUrl, apiKey: credential.api_key, keySource: 'steadypay login' }
  const session = { environment: credential.environment, renew: (refused: string) => renewSession(file, refused) }
  return { baseUrl, apiKey: credential.access_token, keySource: 'steadypay login', session }
}

/** The address of the service without a login: as it was given, and that of `npm start`. */
export const knownAddress = ({ baseUrl, env = process.env, file = developmentFile }: Sources) => ({
  given: baseUrl || env['STEADYPAY_BASE_URL'],
  usual: readDevelopmentFile(file).base_url,
})

const missing = (what: string, variable: string) =>
  new Failure(
    'NOT_CONFIGURED',
    `There is no ${what}: run npm start, which writes it to .local/dev.json, or steadypay login, or set ${variable}.`,
  )

function readDevelopmentFile(file: string): DevelopmentFile {
  if (!existsSync(file)) return {}
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as DevelopmentFile
  } catch {
    throw new Failure('NOT_CONFIGURED', '.local/dev.json cannot be read: run npm start, which writes it anew.')
  }
}

/** The URL without a slash at its end, as paths are appended to it. */
export function readAddress(text: string): string {
  const url = URL.parse(text)
  const isAddress = url !== null && /^https?:$/.test(url.protocol) && !url.search && !url.hash
  if (isAddress) return url.href.replace(/\/+$/, '')
  throw new Failure('NOT_CONFIGURED', `${text} is not a valid service URL. Use one like http://127.0.0.1:3000.`)
}
