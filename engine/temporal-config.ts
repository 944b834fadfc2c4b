import { getCACertificates } from 'node:tls'
import type { TLSConfig } from '@temporalio/client'
import type { Variables } from './environment.ts'
import { isPair, withLines } from './pem.ts'
import { temporalSchemas } from './temporal-variables.ts'

/**
 * How the Temporal service is reached, as the SDK's connections take it. `tls` is false without encryption; its texts
 * are PEM. `apiKey` is sent with each call.
 */
export type TemporalAccess = { address: string; tls: TLSConfig | false; apiKey?: string }

/** The variables that say nothing, or must not be sent, without TLS. */
const ofTls = [
  'TEMPORAL_TLS_SERVER_NAME',
  'TEMPORAL_TLS_CA',
  'TEMPORAL_TLS_CERT',
  'TEMPORAL_TLS_KEY',
  'TEMPORAL_API_KEY',
] as const

export const temporalVariables = Object.keys(temporalSchemas) as (keyof typeof temporalSchemas)[]
export type TemporalVariables = Pick<Variables, keyof typeof temporalSchemas>

/** How the Temporal service is reached by these variables, in which nothing is wrong. */
export function temporalIn(values: TemporalVariables): TemporalAccess {
  const apiKey = values.TEMPORAL_API_KEY
  const tls = values.TEMPORAL_TLS === 1 && tlsIn(values)
  return { address: values.TEMPORAL_ADDRESS, tls, ...(apiKey !== '' && { apiKey }) }
}

function tlsIn(values: TemporalVariables): TLSConfig {
  const { TEMPORAL_TLS_CA: ca, TEMPORAL_TLS_CERT: crt, TEMPORAL_TLS_KEY: key } = values
  const serverName = values.TEMPORAL_TLS_SERVER_NAME
  // By themselves the workers would trust the authorities of the operating system, of which the image has none, and
  // the clients those of Node.
  const authorities = ca === '' ? getCACertificates('default').join('\n') : ca
  return {
    serverRootCACertificate: pem(authorities),
    ...(serverName !== '' && { serverNameOverride: serverName }),
    ...(crt !== '' && { clientCertPair: { crt: pem(crt), key: pem(key) } }),
  }
}

const pem = (text: string) => Buffer.from(withLines(text))

/** What is wrong with these variables together. */
export function wrongTemporal(values: TemporalVariables): string[] {
  const { TEMPORAL_TLS_CERT: crt, TEMPORAL_TLS_KEY: key } = values
  // An API key must not be sent in plain text, and nobody should believe that an authority is checked.
  if (values.TEMPORAL_TLS === 0)
    return ofTls.filter((name) => values[name] !== '').map((name) => `${name} needs TEMPORAL_TLS=1`)
  const errors = []
  if ((crt === '') !== (key === '')) errors.push('TEMPORAL_TLS_CERT and TEMPORAL_TLS_KEY must be set together')
  else if (crt !== '' && !isPair(crt, key)) errors.push('TEMPORAL_TLS_KEY must be the key of TEMPORAL_TLS_CERT')
  // The SDK's client refuses to ask for an IP address, so that it could never connect.
  if (values.TEMPORAL_TLS_SERVER_NAME === '' && /^[\d.]+:|^\[/.test(values.TEMPORAL_ADDRESS))
    errors.push('TEMPORAL_TLS_SERVER_NAME is missing; with TEMPORAL_TLS=1 an IP address in TEMPORAL_ADDRESS needs it')
  return errors
}
