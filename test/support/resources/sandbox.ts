import { TestClock } from '../../../db/core/test-clock.ts'
import { newId } from '../../../domain/id.ts'
import { make, type Makers, type Processes, type Routes } from '../resource.ts'

export const makers: Makers = {
  clock_id: {
    prefix: 'clk',
    async make({ database }, { accountId }, environment) {
      const [id, now] = [newId('clk', Date.now()), new Date()]
      if (environment === 'live') return { id } // live has no clocks
      const clock = { id, accountId, environment: 'sandbox' as const, name: 'A clock', frozenTime: now }
      const stands = { target: null, advancesAfter: null, createdAt: now, updatedAt: now }
      await database.orm.em.fork().insert(TestClock, { ...clock, ...stands })
      return { id }
    },
    makeByCalls: async (_stack, { keys }) => ({
      id: await make(keys.sandbox.merchant, '/v1/test-helpers/clocks', { name: 'A clock' }, 'clock_id'),
    }),
  },
}

const clock = '/v1/test-helpers/clocks/{clock_id}'

export const routes: Routes = {
  'POST /v1/test-helpers/events/trigger': { body: { type: 'refund.paid' } },
  'GET /v1/test-helpers/emails': {},
  'POST /v1/test-helpers/clocks': { body: { name: 'A year' } },
  'GET /v1/test-helpers/clocks': {},
  [`GET ${clock}`]: {},
  [`DELETE ${clock}`]: {},
  [`POST ${clock}/attach`]: { body: { checkout_id: newId('chk', 0) } },
  [`POST ${clock}/advance`]: { body: { by: 'PT1S' } },
  'POST /v1/test-helpers/scenarios': { body: { steps: [{ wait: 'PT1S' }] } },
}

export const processes: Processes = {
  clock: {
    begun: '(select * from test_clocks where advances_after is not null)',
    unfinished: 'select id, account_id, environment from test_clocks where target is not null',
  },
}
