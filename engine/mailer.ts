import { createTransport } from 'nodemailer'
import type { Logger } from './logger.ts'

/** A mail in plain text; it may hold a one-time code. */
export type Mail = { to: string; subject: string; text: string }

/** Hands mails to the outside world. `send` never waits and never throws: what fails is logged, without its content. */
export type Mailer = { send(mail: Mail): void; close(): void }

/** Sends by SMTP (`smtp://` or `smtps://`, with user and password in it); null sends nothing. */
export function createMailer(smtpUrl: string | null, from: string, logger: Logger): Mailer {
  if (!smtpUrl) return { send: () => undefined, close: () => undefined }
  const transport = createTransport(smtpUrl, { from, pool: true } as never)
  return {
    send: (mail) =>
      void transport.sendMail({ ...mail, from }).catch((error: Error & { code?: string; responseCode?: number }) => {
        const { code, responseCode } = error // not its text, which may quote the mail
        logger.error({ code, responseCode }, 'a mail was not sent')
      }),
    close: () => transport.close(),
  }
}
