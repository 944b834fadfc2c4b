import type { Life } from './life.ts'
import { newCustomer, payBySaved, saveCard, sellTo } from './saved-card.ts'
import { laterCards } from './subscription.ts'

/** A known customer pays with a saved card: first with a wrong security code, then with the code of their bank. */
export const lives: Record<string, Life> = {
  'checkout-paid-with-a-saved-card': {
    process: 'checkout',
    async play({ merchant }) {
      const customer = await newCustomer(merchant)
      const id = await saveCard(merchant, customer, laterCards.asksFor3ds)
      const session = await sellTo(merchant, customer)
      await payBySaved(merchant, session, id, { card: { payment_method_id: id, cvc: '000' } })
      await payBySaved(merchant, session, id)
      await merchant.confirm(session, { code: '123456' })
      return session.checkout_id
    },
  },
}
