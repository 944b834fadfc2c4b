import { type Books, type CardBehaviour, checkParams, type Entry, invalidRequest, type Route } from './books.ts'

/** Stripe's own rule for emails is not published; it refuses more than our pattern does. */
function checkEmail(email: unknown): void {
  if (email === undefined || /^[\w.+-]+@[\w-]+(\.[\w-]+)+$/.test(String(email))) return
  throw invalidRequest('Invalid email address', { code: 'email_invalid', param: 'email' }, true)
}

/** Cards, their customers and security codes. */
export function createSaved(books: Books) {
  const { add, get } = books

  const routes: Route[] = [
    [/^GET \/v1\/payment_methods\/(\w+)$/, (_params, id) => get('payment_method', id)],
    [/^GET \/v1\/tokens\/(\w+)$/, (_params, id) => get('token', id)],
    [
      /^POST \/v1\/customers$/,
      (params) => {
        checkParams(params, ['email'])
        checkEmail(params['email'])
        return add('cus', 'customer', { email: params['email'] ?? null, metadata: params['metadata'] ?? {} })
      },
    ],
  ]

  return {
    routes,
    addCard(behaviour: CardBehaviour): string {
      const card = { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2040, country: 'US' }
      const { id } = add('pm', 'payment_method', { type: 'card', card, customer: null as string | null, metadata: {} })
      books.behaviours.set(id, behaviour)
      return id
    },
    /** A card that is saved for somebody else. */
    addSavedCard(behaviour: CardBehaviour = {}): Entry {
      const customer = add('cus', 'customer', { email: null, metadata: {} })
      const card = get('payment_method', this.addCard(behaviour))
      card['customer'] = customer.id
      return card
    },
    addSecurityCode: (): string => add('cvctok', 'token', { type: 'cvc_update', used: false, metadata: {} }).id,
  }
}
