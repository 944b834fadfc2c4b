const shownMax = 15

export type FileDuration = { file: string; tookMs: number }

/** Lists the slowest test files with their seconds. Empty if there are only a few files. */
export function describeSlowest(files: FileDuration[]): string {
  if (files.length <= shownMax) return ''
  const slowest = files.toSorted((one, other) => other.tookMs - one.tookMs).slice(0, shownMax)
  const lines = slowest.map(({ file, tookMs }) => `${(tookMs / 1_000).toFixed(1).padStart(7)} s  ${file}\n`)
  return `The slowest of ${files.length} files:\n${lines.join('')}`
}
