import type { Routes } from '../resource.ts'

export const routes: Routes = {
  'POST /v1/test-helpers/events/trigger': { body: { type: 'refund.paid' } },
  'GET /v1/test-helpers/emails': {},
}
