import type { FieldError } from './refusal.ts'

/** The most keys that metadata may have (docs/contract/general.md, "Metadata"). */
export const metadataKeysMax = 50

/**
 * Metadata brought up to date by what a caller sent: keys are added and replaced, an empty text removes its key, and an
 * empty text for the whole removes them all (docs/contract/general.md, "Metadata").
 */
export function mergeMetadata(
  known: Record<string, string>,
  sent: Record<string, string> | string | undefined,
): Record<string, string> {
  if (sent === undefined) return known
  if (typeof sent === 'string') return {} // no other text but the empty one gets here
  return Object.fromEntries(Object.entries({ ...known, ...sent }).filter(([, value]) => value !== ''))
}

/** What is wrong with metadata as a change would leave it: what was sent is within its limits, all may not be. */
export function validateMetadata(merged: Record<string, string>): FieldError[] {
  if (Object.keys(merged).length <= metadataKeysMax) return []
  return [{ field: 'metadata', message: `would have more than ${metadataKeysMax} keys`, type: 'value_error.range' }]
}
