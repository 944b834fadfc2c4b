import { questionsGoOnDuringAHold } from '../versions.ts'

/** The messages that a process has received and not handled yet. */
export type Inbox = {
  /** The rail knows something new. */
  news: boolean
  /** The rail was asked about news, and no answer was heard since. */
  isNewsOpen: boolean
  /** The order may never have reached the rail, or staff want it given again. */
  isOrderDue: boolean
  /** How many orders of staff were carried out. */
  staffOrders: number
}

/** Notes that the rail is being asked. */
export function noteAsked(inbox: Inbox): void {
  inbox.isNewsOpen ||= inbox.news
  inbox.news = false
}

/** Has the rail asked again about news that it was asked about in vain: it may never announce it again. */
export function restoreNews(inbox: Inbox): void {
  if (inbox.isNewsOpen && questionsGoOnDuringAHold()) inbox.news = true
}
