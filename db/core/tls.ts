import { readFileSync } from 'node:fs'
import { checkServerIdentity, type ConnectionOptions } from 'node:tls'

const modes = ['disable', 'require', 'verify-ca', 'verify-full']

/**
 * How the connections to this address are encrypted, by its `sslmode` and `sslrootcert`, as psql reads them:
 * https://www.postgresql.org/docs/18/libpq-ssl.html. Without `sslmode` PGSSLMODE decides, which pg reads. Where no
 * `sslrootcert` is given, `verify-ca` and `verify-full` trust the authorities that Node trusts. Throws where the file
 * cannot be read.
 */
export function tlsOf(url: string): undefined | false | ConnectionOptions {
  const { hostname, searchParams } = new URL(url)
  const mode = searchParams.get('sslmode')
  if (mode === null) return undefined
  if (mode === 'disable') return false
  const file = searchParams.get('sslrootcert') ?? ''
  const ca = file === '' || file === 'system' ? {} : { ca: readFileSync(file, 'utf8') }
  // Without this Node would take any certificate for "localhost" if the address names an IP address.
  const isNamed: typeof checkServerIdentity = (_, certificate) =>
    checkServerIdentity(hostname.replace(/^\[|\]$/g, ''), certificate)
  if (mode === 'verify-full') return { ...ca, checkServerIdentity: isNamed }
  // With a certificate of an authority, libpq takes `require` as `verify-ca`.
  if (mode === 'require' && file === '') return { rejectUnauthorized: false }
  return { ...ca, checkServerIdentity: () => undefined }
}

/** What is wrong with how this address asks for TLS; null if nothing is. */
export function wrongTls(url: string): string | null {
  const { searchParams } = new URL(url)
  const mode = searchParams.get('sslmode') ?? 'disable'
  if (!modes.includes(mode)) return `its sslmode must be one of ${modes.join(', ')}`
  const isUnknown = ['sslcert', 'sslkey'].some((name) => searchParams.has(name))
  if (isUnknown) return 'its sslcert and sslkey are not supported: log in with a password'
  try {
    tlsOf(url)
    return null
  } catch (error) {
    return `its sslrootcert must name a readable file (${(error as NodeJS.ErrnoException).code ?? 'unreadable'})`
  }
}
