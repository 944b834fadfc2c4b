/** What must hold for payments with a saved card whose owner is there. */
export const rules: Record<string, string> = {
  'a session is paid with a saved card of its own customer only, and only where its merchant offers that': `
    select p.id from payments p join checkouts c on c.id = p.checkout_id
      left join saved_payment_methods m on m.id = p.saved_method_id
    where p.saved_method_id is not null and (m.id is null or not c.offers_saved_cards
      or m.customer_id is distinct from c.customer_id or m.account_id <> c.account_id
      or m.environment <> c.environment or m.corridor <> p.corridor or c.setup or c.recurring is not null)`,
  'a session that offers saved cards has a customer': `
    select id from checkouts where offers_saved_cards and customer_id is null`,
}
