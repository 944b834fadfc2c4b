const minute = 60_000

/** Pauses, in milliseconds, between questions to a rail that has not answered: 5 minutes, 1 hour, then a day each. */
export function railPolls(): { next(): number } {
  const pauses = [5 * minute, 60 * minute]
  return { next: () => pauses.shift() ?? 24 * 60 * minute }
}
