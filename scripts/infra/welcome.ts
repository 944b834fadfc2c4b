import { join } from 'node:path'
import { seed } from '../../db/seed.ts'
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
}

export type Seeded = { organizationId: string; apiKey: string | null }

/**
 * Makes the demo organization in an empty database. Its key shows only then, so it is kept at once for later starts.
 */
export async function seedOnce(databaseUrl: string, secrets: Secrets): Promise<Seeded> {
  const made = await seed(databaseUrl, { keyPepper: Buffer.from(secrets.KEY_PEPPER, 'base64'), now: Date.now() })
  const kept = readPrivateJson<Partial<DevelopmentFile>>(FILE)
  const keptKey = kept?.organization_id === made.organizationId ? kept.api_key : undefined
  const seeded = { organizationId: made.organizationId, apiKey: made.apiKey ?? keptKey ?? null }
  writePrivateJson(FILE, { organization_id: seeded.organizationId, api_key: seeded.apiKey })
  return seeded
}

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
    organization_id: seeded.organizationId,
    api_key: seeded.apiKey,
  }
  writePrivateJson(FILE, content)
  console.log(`
Ready after ${seconds} s.

  API              ${baseUrl}
  Hosted checkout  ${baseUrl}/checkout/{checkout_id}   (the checkout_url of a new checkout)
  Reference        ${baseUrl}/reference
  Temporal         ${temporal.uiUrl ?? temporal.address}
  Sandbox key      ${seeded.apiKey ?? 'made at the first start of this database, and not kept in .local/dev.json'}
  Logs             ${logs}

A first checkout:

  curl ${baseUrl}/v1/checkout-sessions \\
    -H 'Authorization: Bearer ${seeded.apiKey ?? 'YOUR_KEY'}' \\
    -H 'Content-Type: application/json' \\
    -H "Idempotency-Key: first-$(date +%s)" \\
    -d '${EXAMPLE}'

Ctrl-C stops everything; the data stays in .local.`)
}

const EXAMPLE = JSON.stringify({
  amount: '25.00',
  currency: 'USD',
  description: 'A first sale',
  success_url: 'https://example.com/thanks?c={CHECKOUT_ID}',
})
