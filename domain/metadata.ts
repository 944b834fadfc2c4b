/** The most keys that metadata may have (decisions.md, section 1). */
export const metadataKeysMax = 50

/**
 * Metadata brought up to date by what a caller sent: keys are added and replaced, an empty text removes its key, and an
 * empty text for the whole removes them all (interface, "Subscription metadata rule").
 */
export function mergeMetadata(
  known: Record<string, string>,
  sent: Record<string, string> | string,
): Record<string, string> {
  if (typeof sent === 'string') return {} // no other text but the empty one gets here
  return Object.fromEntries(Object.entries({ ...known, ...sent }).filter(([, value]) => value !== ''))
}
