import type { Routes } from '../resource.ts'

export const routes: Routes = {
  'POST /v1/balance_settings': {
    body: { schedule_by_currency: { NGN: { interval: 'manual' } } },
    bodies: () => [
      { schedule_by_currency: { NGN: { interval: 'weekly', weekly_payout_days: ['monday'], minimum_amount: '1.00' } } },
      { schedule_by_currency: { NGN: { interval: 'monthly', monthly_payout_days: [1] } } },
    ],
  },
  'GET /v1/balance_settings': {},
  'GET /v1/balances': {},
  'GET /v1/balances/transactions': {},
}
