function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value
  else if (value instanceof Uint8Array) yield Buffer.from(value).toString('utf8')
  else if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) yield* textsIn(inner)
}

/**
 * All text in what the engine keeps of a process, its payloads decoded, to look something up in. `JSON.stringify` does
 * not do: the engine's messages turn their bytes into base64 before a replacer sees them.
 */
export const textIn = (value: unknown): string => [...textsIn(value)].join('\n')
