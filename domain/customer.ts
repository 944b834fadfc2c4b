/**
 * The details that the buyer entered, stored with the sale whether or not a customer record exists. `record_name` is
 * the name in the merchant's record of that email where it differs; only the merchant sees it, never the buyer.
 */
export type BuyerDetails = {
  email: string
  name: string | null
  phone_number?: string | null
  record_name?: string | null
}
