function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value
  else if (value instanceof Uint8Array) yield Buffer.from(value).toString('utf8')
  else if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) yield* textsIn(inner)
}

/**
 * All text in the engine's data about a process, with payloads decoded, for a search. `JSON.stringify` is not enough:
 * the engine's messages turn their bytes into base64 before a replacer sees them.
 */
export const textIn = (value: unknown): string => [...textsIn(value)].join('\n')
