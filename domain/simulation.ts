/** What a caller may have become of a refund, a payout or a conversion, in the sandbox only. */
export const simulatedOutcomes = ['success', 'failed'] as const
