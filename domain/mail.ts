/** A mail in plain text; it may hold a one-time code. */
export type Mail = {
  /** One address, or several separated by a comma and a space each. */
  to: string
  subject: string
  text: string
  /** The same content as a page, for mail programs that show one. */
  html?: string
  /** The same id when the mail is sent again, so that a mail program shows it once. */
  messageId?: string
}

/** Sends mails. */
export type Mailer = {
  /** Never waits and never throws: what fails is logged, without its content. */
  send(mail: Mail): void
  /** Waits until the mail server has taken it; throws when it has not. */
  deliver(mail: Mail): Promise<void>
  /** Waits for the mails that are being sent, for some seconds at most. */
  close(): Promise<void>
}
