import type { RailOrderNews } from '../rail-order/news.ts'

/** What a process has been told: what it has not acted on yet, and how often staff have changed something. */
export type Inbox = {
  news: RailOrderNews
  /** The order may never have reached the rail, or staff want it sent again. */
  isOrderDue: boolean
  /** How many operator actions were carried out. A step that began before one knows nothing of it. */
  actionsCarriedOut: number
}
