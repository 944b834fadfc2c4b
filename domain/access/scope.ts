/** The families of scopes (docs/contract/access.md, "Scopes"). `balances` is read only, two others are write only. */
export const scopes = [
  'payments:read',
  'payments:write',
  'refunds:read',
  'refunds:write',
  'customers:read',
  'customers:write',
  'products:read',
  'products:write',
  'subscriptions:read',
  'subscriptions:write',
  'invoices:read',
  'invoices:write',
  'disputes:read',
  'disputes:write',
  'payouts:read',
  'payouts:write',
  'balances:read',
  'conversions:read',
  'conversions:write',
  'virtual_accounts:read',
  'virtual_accounts:write',
  'accounts:read',
  'accounts:write',
  'transfers:read',
  'transfers:write',
  'platform_fees:read',
  'platform_fees:write',
  'customer_sessions:write',
  'webhooks:read',
  'webhooks:write',
  'test_helpers:write',
] as const
export type Scope = (typeof scopes)[number]

export const environments = ['sandbox', 'live'] as const
export type Environment = (typeof environments)[number]

/** Requests per minute by rate tier; null: no limit (for operators' own load tests). */
export const rateTiers = { standard: 100, elevated: 500, platform: 1000, unlimited: null } as const
export type RateTier = keyof typeof rateTiers
