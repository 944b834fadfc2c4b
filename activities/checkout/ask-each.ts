import type { Corridor } from '../../domain/corridor.ts'

/**
 * Asks rails about attempts: those of different corridors at once, those of one after each other. A rail that does not
 * answer about one attempt keeps no other from being asked about; its error is thrown at the end.
 */
export async function askEach<Attempt extends { corridor: Corridor }>(
  attempts: readonly Attempt[],
  ask: (attempt: Attempt) => Promise<unknown>,
): Promise<void> {
  const errors: unknown[] = []
  const askInTurn = async (some: readonly Attempt[]) => {
    for (const attempt of some) await ask(attempt).catch((error: unknown) => void errors.push(error))
  }
  await Promise.all([...Map.groupBy(attempts, ({ corridor }) => corridor).values()].map(askInTurn))
  if (errors.length > 0) throw errors[0]
}
