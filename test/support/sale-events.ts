import type { Stack } from './stack.ts'

/** The types of the events of a session and its payments, in order. */
export async function eventsOfSale(stack: Stack, checkoutId: string): Promise<string[]> {
  const rows = await stack.sql<{ type: string }>(
    `select type from events where resource_id = ? or resource_id in (select id from payments where checkout_id = ?)
     order by sequence`,
    [checkoutId, checkoutId],
  )
  return rows.map(({ type }) => type)
}

/** A transfer to a payment's account whose callback from the bank never arrives. */
export const sendUnheard = (stack: Stack, paymentId: string, amount = '5000.00') =>
  stack.sql(
    `insert into simulated_deposits (account_id, session_id, payment_id, amount, sender_name, sender_bank,
       sender_account_number, created_at)
     select account_id, ?, id, ?, 'Ada', 'Bank', '0123456789', now() from payments where id = ?`,
    [`unheard${paymentId.slice(-20)}`, amount, paymentId],
  )
