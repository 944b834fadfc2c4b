const shownMax = 15

/** Lists the slowest test files with their seconds. Empty if there are only a few files. */
export function describeSlowest(files: { file: string | undefined; duration_ms: number }[]): string {
  if (files.length <= shownMax) return ''
  const slowest = files.toSorted((one, other) => other.duration_ms - one.duration_ms).slice(0, shownMax)
  const lines = slowest.map(({ file, duration_ms: took }) => `${(took / 1_000).toFixed(1).padStart(7)} s  ${file}\n`)
  return `The slowest of ${files.length} files:\n${lines.join('')}`
}
