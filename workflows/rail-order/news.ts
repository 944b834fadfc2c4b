import { setHandler, type SignalDefinition } from '@temporalio/workflow'
import { questionsGoOnDuringAHold } from '../versions.ts'

export type RailOrderNews = ReturnType<typeof keepRailOrderNews>

/**
 * Keeps in mind that the rail of an order has news, until an answer of the rail is heard: the rail may never announce
 * it again. `hasNews`: the previous run has heard of news, and no answer since.
 */
export function keepRailOrderNews(railAnswered: SignalDefinition, hasNews: boolean) {
  let isNew = hasNews
  /** Whether the rail was asked about news, and no answer was heard since. */
  let isOpen = false
  const announce = (): void => void (isNew = true)
  setHandler(railAnswered, announce)
  return {
    announce,
    /** Whether the rail is to be asked about news. */
    isDue: () => isNew,
    /** Whether there is news that the rail has not answered for. */
    isUnanswered: () => isNew || isOpen,
    noteAsked(): void {
      isOpen ||= isNew
      isNew = false
    },
    noteAnswered: (): void => void (isOpen = false),
    /** Has the rail asked again about news that it was asked about in vain. A mere poll is not repeated. */
    restore(): void {
      if (isOpen && questionsGoOnDuringAHold()) isNew = true
    },
  }
}
