import { createTransport } from 'nodemailer'
import type { Mail, Mailer } from '../domain/mail.ts'

type Logger = { error(about: object, message: string): void }

/** Sends mail by SMTP (`smtp://` or `smtps://` URL with user and password). With a null URL it sends nothing. */
export function createMailer(smtpUrl: string | null, from: string, logger: Logger): Mailer {
  if (!smtpUrl) return { send: () => undefined, deliver: async () => undefined, close: () => undefined }
  const transport = createTransport(smtpUrl)
  const deliver = async (mail: Mail) => void (await transport.sendMail({ ...mail, from }))
  return {
    deliver,
    send: (mail) =>
      void deliver(mail).catch((error: Error & { code?: string; responseCode?: number }) => {
        const { code, responseCode } = error // without its message, which may quote the mail
        logger.error({ code, responseCode }, 'a mail was not sent')
      }),
    close: () => transport.close(),
  }
}
