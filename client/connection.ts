import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from './failure.ts'

/** Where the service is and who calls it. `keySource` says where the key was read; the key itself is never shown. */
export type Connection = { baseUrl: string; apiKey: string; keySource: string }

type Sources = { baseUrl?: string | undefined; env?: NodeJS.ProcessEnv; file?: string }
type DevelopmentFile = { base_url?: string; api_key?: string | null }

const developmentFile = join(import.meta.dirname, '../.local/dev.json')

/** Each value comes from the options, else from the environment, else from the file that `npm start` writes. */
export function findConnection({ baseUrl, env = process.env, file = developmentFile }: Sources): Connection {
  const key = env['STEADYPAY_API_KEY']
  const address = baseUrl || env['STEADYPAY_BASE_URL']
  const known = key && address ? {} : readDevelopmentFile(file)
  const apiKey = key || known.api_key
  const found = address || known.base_url
  if (!apiKey) throw missing('API key', 'STEADYPAY_API_KEY')
  if (!found) throw missing('service URL', 'STEADYPAY_BASE_URL')
  return { baseUrl: readAddress(found), apiKey, keySource: key ? 'STEADYPAY_API_KEY' : '.local/dev.json' }
}

const missing = (what: string, variable: string) =>
  new Failure(
    'NOT_CONFIGURED',
    `There is no ${what}: run npm start, which writes it to .local/dev.json, or set ${variable}.`,
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
function readAddress(text: string): string {
  const url = URL.parse(text)
  const isAddress = url !== null && /^https?:$/.test(url.protocol) && !url.search && !url.hash
  if (isAddress) return url.href.replace(/\/+$/, '')
  throw new Failure('NOT_CONFIGURED', `${text} is not a valid service URL. Use one like http://127.0.0.1:3000.`)
}
