import { join } from 'node:path'
import { styleText } from 'node:util'
import { Secret, TOTP } from 'otpauth'
import { encodeQR } from 'qr'
import { createEncrypter } from '../../db/core/encryption.ts'
import { type DemoUser, seed } from '../../db/seed.ts'
import { processLists, processListUrl } from '../../domain/process-list.ts'
import { readPrivateJson, writePrivateJson, type Secrets } from './keep.ts'
import { LOCAL } from './paths.ts'

const FILE = join(LOCAL, 'dev.json')

/** What .local/dev.json holds, for scripts and for people. */
export type DevelopmentFile = {
  base_url: string
  temporal_address: string
  temporal_ui_url: string | null
  database_url: string
  organization_id: string
  api_key: string | null
  owner: Person | null
  reviewer: Person | null
}

/** What a demo user logs in with. Authenticator apps read `totp_uri`. */
type Person = { email: string; password: string; totp_secret: string; totp_uri: string; backup_codes: string[] }

export type Seeded = {
  organizationId: string
  apiKey: string | null
  owner: Person | null
  reviewer: Person | null
}

/**
 * Makes the demo organization in an empty database. Its secrets are known only then, so they are stored at once for
 * later starts.
 */
export async function seedOnce(databaseUrl: string, secrets: Secrets, file = FILE): Promise<Seeded> {
  const keyPepper = Buffer.from(secrets.KEY_PEPPER, 'base64')
  const made = await seed(databaseUrl, {
    keyPepper,
    encrypter: createEncrypter(secrets.ENCRYPTION_KEYS),
    now: Date.now(),
  })
  const kept = readPrivateJson<Partial<DevelopmentFile>>(file)
  const ours = kept?.organization_id === made.organizationId ? kept : undefined
  const seeded = {
    organizationId: made.organizationId,
    apiKey: made.apiKey ?? ours?.api_key ?? null,
    owner: made.people ? personOf(made.people.owner) : withUri(ours?.owner),
    reviewer: made.people ? personOf(made.people.reviewer) : withUri(ours?.reviewer),
  }
  // The addresses of the last start stay until those of this one are known, in case it is interrupted.
  writePrivateJson(file, { ...kept, ...fileOf(seeded) })
  return seeded
}

export const personOf = ({ email, password, totpSecret, backupCodes }: DemoUser): Person => ({
  email,
  password,
  totp_secret: totpSecret,
  totp_uri: totpUri(email, totpSecret),
  backup_codes: backupCodes,
})

/** Adds the URI, as a file of an earlier version has none. */
const withUri = (kept: Person | null | undefined): Person | null =>
  kept ? { ...kept, totp_uri: totpUri(kept.email, kept.totp_secret) } : null

/** What authenticator apps import (the Key URI format), such as `otpauth://totp/steadypay:ada%40example.com?…`. */
export const totpUri = (email: string, secret: string): string =>
  new TOTP({ issuer: 'steadypay', label: email, secret: Secret.fromBase32(secret) }).toString()

export type LastPorts = Record<'api' | 'temporal' | 'temporalUi', number | undefined>

/**
 * The ports of the last start in this clone, if known. They are used again, because bookmarks and configurations name
 * them, and browsers store the Temporal UI's views and columns by its port.
 */
export function lastPorts(file = FILE): LastPorts {
  const kept = readPrivateJson<Partial<DevelopmentFile>>(file)
  const portOf = (url: string) => Number(URL.parse(url)?.port) || undefined
  return {
    api: portOf(kept?.base_url ?? ''),
    temporal: portOf(`http://${kept?.temporal_address ?? ''}`),
    temporalUi: portOf(kept?.temporal_ui_url ?? ''),
  }
}

const fileOf = ({ organizationId, apiKey, owner, reviewer }: Seeded) => ({
  organization_id: organizationId,
  api_key: apiKey,
  owner,
  reviewer,
})

export type Addresses = {
  baseUrl: string
  databaseUrl: string
  temporal: { address: string; uiUrl: string | null }
  seeded: Seeded
}

/** Writes the addresses and the demo organization for scripts and for the next start. */
export function keepAddresses({ baseUrl, databaseUrl, temporal, seeded }: Addresses, file = FILE): void {
  const content: DevelopmentFile = {
    base_url: baseUrl,
    temporal_address: temporal.address,
    temporal_ui_url: temporal.uiUrl,
    database_url: databaseUrl,
    ...fileOf(seeded),
  }
  writePrivateJson(file, content)
}

export type Welcome = Addresses & { seconds: string; logs: string }

/** Writes .local/dev.json and prints the addresses, the key and a first call to try; on a terminal QR codes too. */
export function printWelcome(welcome: Welcome): void {
  const { baseUrl, temporal, seeded, seconds, logs } = welcome
  keepAddresses(welcome)
  console.log(`
Ready after ${seconds} s.

  API              ${baseUrl}
  Hosted checkout  ${baseUrl}/checkout/{checkout_id}   (the checkout_url of a new checkout)
  Dashboard        ${baseUrl}/dashboard   (log in as the owner)
  Review desk      ${baseUrl}/ops   (log in as the reviewer)
  Reference        ${baseUrl}/reference
  Temporal         ${temporal.uiUrl ?? temporal.address}${temporal.uiUrl ? listsAt(temporal.uiUrl) : ''}
  Sandbox key      ${seeded.apiKey ?? 'made at the first start of this database, and not kept in .local/dev.json'}
  Owner            ${credentials(seeded.owner)}
  Reviewer         ${credentials(seeded.reviewer)}
  Logs             ${logs}
${process.stdout.isTTY ? qrCodes(seeded) : ''}
${firstCheckout(baseUrl, seeded.apiKey)}

Ctrl-C stops everything; the data stays in .local.`)
}

/** A first call to try. */
export const firstCheckout = (baseUrl: string, apiKey: string | null): string => `A first checkout:

  curl ${baseUrl}/v1/checkout-sessions \\
    -H 'Authorization: Bearer ${apiKey ?? 'YOUR_KEY'}' \\
    -H 'Content-Type: application/json' \\
    -H "Idempotency-Key: first-$(date +%s)" \\
    -d '${EXAMPLE}'`

export const credentials = (person: Person | null): string =>
  person
    ? `${person.email}  password ${person.password}  authenticator ${person.totp_secret}
                   ${person.totp_uri}`
    : 'made at the first start of this database, and not kept in .local/dev.json'

/** Links to the lists that staff use most, as the UI stores no views on its server. */
const listsAt = (uiUrl: string): string =>
  processLists.map(({ name, query }) => `\n    ${name}:\n      ${processListUrl(uiUrl, 'default', query)}`).join('')

/** QR codes side by side, for the app on a phone: white on black, whatever the terminal's colours are. */
function qrCodes({ owner, reviewer }: Seeded): string {
  const people = [owner, reviewer].filter((person) => person !== null)
  const codes = people.map(({ totp_uri: uri }) => encodeQR(uri, 'ascii', { ecc: 'low' }).trimEnd().split('\n'))
  const [first = []] = codes
  const rows = first.map((_, row) => codes.map((code) => styleText(['whiteBright', 'bgBlack'], code[row] ?? '')))
  const titles = people.map(({ email }, index) => email.padEnd(codes[index]?.[0]?.length ?? 0)).join('    ')
  return ['', `  ${titles}`, ...rows.map((row) => `  ${row.join('    ')}`), ''].join('\n')
}

const EXAMPLE = JSON.stringify({
  amount: '25.00',
  currency: 'USD',
  description: 'A first sale',
  success_url: 'https://example.com/thanks?c={CHECKOUT_ID}',
})
