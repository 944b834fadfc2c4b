import { createTransport } from 'nodemailer'

/** A mail in plain text; it may hold a one-time code. */
export type Mail = {
  /** One address, or several separated by commas. */
  to: string
  subject: string
  text: string
  /** The same for a mail that is sent again, so that a mail program shows it once. */
  messageId?: string
}

/** Hands mails to the outside world. */
export type Mailer = {
  /** Never waits and never throws: what fails is logged, without its content. */
  send(mail: Mail): void
  /** Waits until the mail server has taken it; throws when it has not. */
  deliver(mail: Mail): Promise<void>
  close(): void
}

type Logger = { error(about: object, message: string): void }

/** Sends by SMTP (`smtp://` or `smtps://`, with user and password in it); null sends nothing. */
export function createMailer(smtpUrl: string | null, from: string, logger: Logger): Mailer {
  if (!smtpUrl) return { send: () => undefined, deliver: async () => undefined, close: () => undefined }
  const transport = createTransport(smtpUrl, { from, pool: true } as never)
  const deliver = async (mail: Mail) => void (await transport.sendMail({ ...mail, from }))
  return {
    deliver,
    send: (mail) =>
      void deliver(mail).catch((error: Error & { code?: string; responseCode?: number }) => {
        const { code, responseCode } = error // not its text, which may quote the mail
        logger.error({ code, responseCode }, 'a mail was not sent')
      }),
    close: () => transport.close(),
  }
}
