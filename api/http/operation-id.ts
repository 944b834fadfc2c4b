import type { Operation } from './operation.ts'

type Named = Pick<Operation, 'method' | 'path'>

/** What stands at the beginning of an id in place of the path's own words. */
const groups: Record<string, string> = {
  '/api/v1/admin': 'staff',
  '/api/v1/auth/api-keys': 'apiKeys',
  '/api/v1/auth': 'auth',
  '/api/v1/notifications/webhooks': 'webhooks',
  '/api/v1/payments/refunds': 'refunds',
  '/v1/accounts/checkout/settings': 'checkoutSettings',
  '/v1/utilities/uploads': 'uploads',
}

/** The ids that the rule would make hard to read, or that would stand in the way of another. */
const exceptions: Record<string, string> = {
  'get /api/v1/admin/reviews/counts': 'staff.reviews.getCounts',
  'get /api/v1/admin/stuck': 'staff.stuck.list',
  'get /api/v1/auth/me': 'auth.me',
  'get /api/v1/notifications/webhooks/endpoint': 'webhooks.configuration.get',
  'get /api/v1/payments/payins/{charge_id}/refund': 'refunds.getOfCharge',
  'get /v1/accounts/checkout/settings': 'checkoutSettings.get',
  'get /v1/balance_settings': 'balanceSettings.get',
  'get /v1/invoices/{page_key}/public/pdf': 'invoices.getPublicPdf',
  'get /v1/customer-portal/me': 'customerPortal.get',
  'get /v1/agenda': 'agenda.list',
  'get /v1/events/stream': 'events.stream',
  'patch /v1/customer-portal/me': 'customerPortal.update',
  'post /api/v1/auth/authenticator': 'auth.authenticator.begin',
  'post /api/v1/auth/code': 'auth.sendCode',
  'post /api/v1/auth/login/2fa/resend': 'auth.resendCode',
  'post /api/v1/auth/login/2fa/verify': 'auth.verifyLogin',
  'post /api/v1/auth/login/init': 'auth.startLogin',
  'post /api/v1/auth/password': 'auth.changePassword',
  'post /api/v1/notifications/webhooks/test': 'webhooks.configuration.test',
  'post /v1/accounts/{account_id}/capabilities/{capability}': 'accounts.capabilities.request',
  'post /v1/accounts/{account_id}/onboarding-link': 'accounts.createOnboardingLink',
  'post /v1/balance_settings': 'balanceSettings.set',
  'post /v1/customer-portal/subscriptions/{subscription_id}/payment-method':
    'customerPortal.subscriptions.setPaymentMethod',
  'post /v1/onboarding/refresh-url': 'onboarding.findRefreshUrl',
  'post /v1/test-helpers/scenarios': 'testHelpers.scenarios.run',
  'post /v1/webhooks/endpoints/{endpoint_id}/secret/rotate': 'webhooks.endpoints.rotateSecret',
}

const verbs = { post: 'create', put: 'set', patch: 'update', delete: 'delete' }

/**
 * The `operationId`, of which clients make the names of their methods, so it never changes (decision 0050). It is the
 * path's words and a verb: `checkoutSessions.create`, `payments.list`, `payments.get`, `payments.getTimeline`,
 * `payments.accept`.
 */
export function operationIdOf({ method, path }: Named): string {
  const exception = exceptions[`${method} ${path}`]
  if (exception) return exception
  const [start, name] = Object.entries(groups).find(([group]) => path.startsWith(group)) ?? ['/v1', '']
  const parts = path.slice(start.length).split('/').filter(Boolean)
  const words = [...(name ? [name] : []), ...parts.filter((part) => !isParameter(part)).map(camelCase)]
  const last = parts.at(-1) ?? name
  const parents = words.slice(0, -1)
  if (isParameter(last)) return [...words, method === 'get' ? 'get' : verbs[method]].join('.')
  const isList = last.endsWith('s')
  if (method === 'post' && !isList) return words.join('.') // a call that does something: payments.accept
  if (method !== 'get') return [...words, verbs[method]].join('.')
  if (isList) return [...words, 'list'].join('.')
  const isPart = parts.some(isParameter)
  return isPart ? [...parents, camelCase(`get-${last}`)].join('.') : [...words, 'get'].join('.')
}

const isParameter = (part: string): boolean => part.startsWith('{')
const camelCase = (words: string): string => words.replaceAll(/[-_](\w)/g, (_, next: string) => next.toUpperCase())
