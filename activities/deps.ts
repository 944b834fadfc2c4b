import type { Database } from '../db/database.ts'
import type { Sealer } from '../db/seal.ts'
import type { Rails } from './rails/index.ts'
import type { WebhookHttp } from './webhook-http.ts'

/** What activities act with; each process hands its own to the factories. */
export type Deps = { database: Database; rails: Rails; sealer: Sealer; webhooks: WebhookHttp }
