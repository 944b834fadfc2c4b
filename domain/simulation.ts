/** The outcomes that a caller can choose for a refund, a payout or a conversion, in the sandbox only. */
export const simulatedOutcomes = ['success', 'failed'] as const
