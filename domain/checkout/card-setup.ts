export const setupStatuses = ['processing', 'requires_action', 'succeeded', 'failed', 'canceled'] as const
export type SetupStatus = (typeof setupStatuses)[number]

/** Whether the rail or the buyer has the next word about saving a card. */
export const isSetupPending = (status: SetupStatus): boolean => status === 'processing' || status === 'requires_action'
