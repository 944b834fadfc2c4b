import type { RailOrderNews } from '../rail-order/news.ts'

/** The messages that a process has received and not handled yet. */
export type Inbox = {
  news: RailOrderNews
  /** The order may never have reached the rail, or staff want it given again. */
  isOrderDue: boolean
  /** How many orders of staff were carried out. */
  staffOrders: number
}
