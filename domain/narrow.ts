/** Whether a value that came from outside is one of these. */
export const isOneOf = <T extends string>(values: readonly T[], value: unknown): value is T =>
  values.some((each) => each === value)

/** Whether a value that came from outside has fields, of which nothing is known yet. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

/** The fields of a value that came from outside; none where it is no object. */
export const fieldsOf = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {})

/** An object with a value for each of these keys. Unlike `Object.fromEntries` it keeps the type of the keys. */
export const recordOf = <K extends string, V>(keys: readonly K[], valueOf: (key: K) => V): Record<K, V> =>
  Object.fromEntries(keys.map((key) => [key, valueOf(key)])) as Record<K, V>
