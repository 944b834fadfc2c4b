/** Who has changed a resource. `rail`: its answer; `system`: our own rules and their deadlines. */
export const actors = ['merchant', 'buyer', 'rail', 'system', 'reviewer', 'operator'] as const
export type Actor = (typeof actors)[number]

/** How a step of a timeline stands. */
export const stepStatuses = ['done', 'running', 'failed', 'skipped'] as const
export type StepStatus = (typeof stepStatuses)[number]
