import { newId } from '../domain/id.ts'
import { iso } from './common.ts'
import { dayMs } from '../domain/duration.ts'

// Data that the sandbox's sample events share. The people are invented.
export const sampleBuyer = { email: 'ada@example.com', name: 'Ada Buyer' }

export const sampleAddress = {
  line1: '12 Marina Road',
  line2: null,
  city: 'Lagos',
  state: null,
  postal_code: '101241',
  country: 'NG',
}

/** The time `days` after `at` (ms since the epoch). Negative `days` are before it. */
export const sampleMoment = (at: number, days = 0): string => iso(new Date(at + days * dayMs))

export const sampleNamedCustomer = (at: number) => ({ id: newId('cust', at), ...sampleBuyer })

export const sampleLineItem = (at: number) => ({
  product_id: newId('prod', at),
  product_name: 'Team plan',
  quantity: 1,
  unit_amount: '25.00',
  currency: 'USD' as const,
  price_type: 'fixed' as const,
  minimum_amount: null,
  maximum_amount: null,
  line_total: '25.00',
})
