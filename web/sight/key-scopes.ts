import { type Scope, scopes } from '../../domain/access/scope.ts'

type Family = Scope extends `${infer Name}:${string}` ? Name : never

/** The families of scopes in words, each under the heading of its group. */
const families: Record<Family, readonly [group: string, name: string]> = {
  payments: ['Payments', 'Payments and checkout'],
  refunds: ['Payments', 'Refunds'],
  disputes: ['Payments', 'Disputes'],
  customers: ['Customers and products', 'Customers'],
  products: ['Customers and products', 'Products and uploads'],
  subscriptions: ['Billing', 'Subscriptions'],
  invoices: ['Billing', 'Invoices'],
  customer_sessions: ['Billing', 'Customer portal'],
  balances: ['Money', 'Balances'],
  payouts: ['Money', 'Payouts'],
  conversions: ['Money', 'Conversions'],
  transfers: ['Money', 'Transfers'],
  virtual_accounts: ['Money', 'Virtual accounts'],
  accounts: ['Platform', 'Accounts and settings'],
  platform_fees: ['Platform', 'Platform fees'],
  webhooks: ['Developers', 'Webhooks and events'],
  test_helpers: ['Developers', 'Test helpers'],
}

const halves: Record<string, string> = { read: 'Read', write: 'Write' }

const partsOf = (scope: Scope): [family: Family, half: string] => scope.split(':') as [Family, string]

const shown = scopes.map((scope) => {
  const [family, half] = partsOf(scope)
  const [group, name] = families[family]
  return { scope, group, name, words: halves[half] ?? half }
})

/** Every scope as a form offers it: by group, and in it by family. */
export const scopeGroups = [...Map.groupBy(shown, ({ group }) => group)].map(([words, ofGroup]) => ({
  words,
  families: [...Map.groupBy(ofGroup, ({ name }) => name)].map(([name, boxes]) => ({ name, boxes })),
}))

const reading: readonly Scope[] = scopes.filter((scope) => scope.endsWith(':read'))

/** The choices of a form for scopes. */
export const accessNames = { all: 'Everything', read: 'Read only', chosen: 'Chosen scopes' } as const
export type Access = keyof typeof accessNames

const isSame = (left: readonly string[], right: readonly string[]): boolean =>
  left.length === right.length && right.every((scope) => left.includes(scope))

/** The choice of a form that gives these scopes. */
export function accessOf(given: readonly string[]): Access {
  if (isSame(given, scopes)) return 'all'
  return isSame(given, reading) ? 'read' : 'chosen'
}

/** What a key with these scopes may do, in a few words. */
export function accessWords(given: readonly string[]): string {
  const access = accessOf(given)
  return access === 'chosen' ? `${given.length} of ${scopes.length} scopes` : accessNames[access]
}

/** The scopes that a form asks for: those of its choice, or else the ticked ones. */
export function scopesIn(form: URLSearchParams): readonly string[] {
  const access = form.get('access')
  if (access === 'all') return scopes
  return access === 'read' ? reading : [...new Set(form.getAll('scope'))]
}
