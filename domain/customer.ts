/**
 * Who the buyer said they are; kept with the sale whether or not a customer record exists. `record_name` is what the
 * merchant's record of that email says where it says another name: for the merchant alone, never for the buyer.
 */
export type BuyerDetails = {
  email: string
  name: string | null
  phone_number?: string | null
  record_name?: string | null
}
