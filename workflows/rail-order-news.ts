import { setHandler, type SignalDefinition } from '@temporalio/workflow'

export type RailOrderNews = ReturnType<typeof keepRailOrderNews>

/** Keeps in mind that the rail of an order has news, until the rail is asked. `hasNews`: so it was in the last run. */
export function keepRailOrderNews(railAnswered: SignalDefinition, hasNews: boolean) {
  let isNew = hasNews
  const announce = (): void => void (isNew = true)
  setHandler(railAnswered, announce)
  return {
    announce,
    /** Whether the rail is to be asked about news. */
    isDue: () => isNew,
    /** Notes that the rail is being asked. */
    noteAsked: (): void => void (isNew = false),
  }
}
