/** Paystack's references of charges take no underscore: the one that our ids have becomes a hyphen. */
export const chargeReference = (paymentId: string): string => paymentId.replace('_', '-')

/** The payment of a charge's reference; null where no payment of ours can have it. */
export const paymentOf = (reference: string): string | null =>
  /^pay-[0-9a-z]{34}$/.test(reference) ? reference.replace('-', '_') : null

/** Whether a text has the form of a reference, an id or an account number, which may stand in the path of a request. */
export const isIdentifier = (text: string): boolean => /^[\w.=-]{1,64}$/.test(text)
