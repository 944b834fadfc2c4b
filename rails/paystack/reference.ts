/** Paystack's references of charges take no underscore: the one that our ids have becomes a hyphen. */
export const chargeReference = (paymentId: string): string => paymentId.replace('_', '-')
