import { join } from 'node:path'
import { createSealer } from '../../db/seal.ts'
import { type DemoUser, seed } from '../../db/seed.ts'
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

/** What a demo user logs in with. */
type Person = { email: string; password: string; totp_secret: string; backup_codes: string[] }

export type Seeded = {
  organizationId: string
  apiKey: string | null
  owner: Person | null
  reviewer: Person | null
}

/**
 * Makes the demo organization in an empty database. Its secrets show only then, so they are kept at once for later
 * starts.
 */
export async function seedOnce(databaseUrl: string, secrets: Secrets): Promise<Seeded> {
  const keyPepper = Buffer.from(secrets.KEY_PEPPER, 'base64')
  const made = await seed(databaseUrl, { keyPepper, sealer: createSealer(secrets.ENCRYPTION_KEYS), now: Date.now() })
  const kept = readPrivateJson<Partial<DevelopmentFile>>(FILE)
  const ours = kept?.organization_id === made.organizationId ? kept : undefined
  const seeded = {
    organizationId: made.organizationId,
    apiKey: made.apiKey ?? ours?.api_key ?? null,
    owner: made.people ? personOf(made.people.owner) : (ours?.owner ?? null),
    reviewer: made.people ? personOf(made.people.reviewer) : (ours?.reviewer ?? null),
  }
  writePrivateJson(FILE, fileOf(seeded))
  return seeded
}

const personOf = ({ email, password, totpSecret, backupCodes }: DemoUser): Person => ({
  ...{ email, password },
  totp_secret: totpSecret,
  backup_codes: backupCodes,
})

const fileOf = ({ organizationId, apiKey, owner, reviewer }: Seeded) => ({
  organization_id: organizationId,
  api_key: apiKey,
  ...{ owner, reviewer },
})

export type Welcome = {
  baseUrl: string
  databaseUrl: string
  temporal: { address: string; uiUrl: string | null }
  seeded: Seeded
  seconds: string
  logs: string
}

/** Writes .local/dev.json and prints the addresses, the key and a first call to try. */
export function tellDeveloper({ baseUrl, databaseUrl, temporal, seeded, seconds, logs }: Welcome): void {
  const content: DevelopmentFile = {
    base_url: baseUrl,
    temporal_address: temporal.address,
    temporal_ui_url: temporal.uiUrl,
    database_url: databaseUrl,
    ...fileOf(seeded),
  }
  writePrivateJson(FILE, content)
  console.log(`
Ready after ${seconds} s.

  API              ${baseUrl}
  Hosted checkout  ${baseUrl}/checkout/{checkout_id}   (the checkout_url of a new checkout)
  Dashboard        ${baseUrl}/dashboard   (log in as the owner)
  Review desk      ${baseUrl}/ops   (log in as the reviewer)
  Reference        ${baseUrl}/reference
  Temporal         ${temporal.uiUrl ?? temporal.address}
  Sandbox key      ${seeded.apiKey ?? 'made at the first start of this database, and not kept in .local/dev.json'}
  Owner            ${credentials(seeded.owner)}
  Reviewer         ${credentials(seeded.reviewer)}
  Logs             ${logs}

A first checkout:

  curl ${baseUrl}/v1/checkout-sessions \\
    -H 'Authorization: Bearer ${seeded.apiKey ?? 'YOUR_KEY'}' \\
    -H 'Content-Type: application/json' \\
    -H "Idempotency-Key: first-$(date +%s)" \\
    -d '${EXAMPLE}'

Ctrl-C stops everything; the data stays in .local.`)
}

const credentials = (person: Person | null): string =>
  person
    ? `${person.email}  password ${person.password}  authenticator ${person.totp_secret}`
    : 'made at the first start of this database, and not kept in .local/dev.json'

const EXAMPLE = JSON.stringify({
  amount: '25.00',
  currency: 'USD',
  description: 'A first sale',
  success_url: 'https://example.com/thanks?c={CHECKOUT_ID}',
})
