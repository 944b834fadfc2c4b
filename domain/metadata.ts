import type { FieldError } from './refusal.ts'

/** The most keys that metadata may have (docs/contract/general.md, "Metadata"). */
export const metadataKeysMax = 50

/**
 * Merges what a caller sent into metadata: keys are added and replaced, an empty text removes its key, and an empty
 * text in place of the whole object removes all keys (docs/contract/general.md, "Metadata").
 */
export function mergeMetadata(
  known: Record<string, string>,
  sent: Record<string, string> | string | undefined,
): Record<string, string> {
  if (sent === undefined) return known
  if (typeof sent === 'string') return {} // validation allows only the empty text here
  return Object.fromEntries(Object.entries({ ...known, ...sent }).filter(([, value]) => value !== ''))
}

/**
 * The field errors of metadata after a change. What was sent is within its limits, but the merged metadata may not be.
 */
export function validateMetadata(merged: Record<string, string>): FieldError[] {
  if (Object.keys(merged).length <= metadataKeysMax) return []
  return [{ field: 'metadata', message: `would have more than ${metadataKeysMax} keys`, type: 'value_error.range' }]
}
