import { createTransport } from 'nodemailer'
import { inTime } from '../activities/in-time.ts'
import type { Mail, Mailer } from '../domain/mail.ts'

type Logger = { error(about: object, message: string): void }

/** How long a mail server is waited for, in milliseconds. */
type MailTimes = {
  /** Until there is a connection, and then until the server's first line. */
  connectMs: number
  /** While it says nothing. A step that is given up holds its place in the worker until its mail has failed. */
  silenceMs: number
  /** Until the mails under way are sent, when this process stops. */
  lastMailsMs: number
}

const usualTimes: MailTimes = { connectMs: 10_000, silenceMs: 20_000, lastMailsMs: 5_000 }

/**
 * The addresses of a mail, each as a whole: in a text the transport would look for names and several addresses. There
 * is no white space in an address, so it stands between two only.
 */
const addressesIn = (to: string) => to.split(', ').map((address) => ({ name: '', address: bare(address) }))

/** An address without what an earlier release took around it, and mailed without. */
const bare = (address: string) => address.replace(/^mailto:/i, '').replace(/[,;]+$/, '')

/** Sends mail by SMTP (`smtp://` or `smtps://` URL with user and password). With a null URL it sends nothing. */
export function createMailer(smtpUrl: string | null, from: string, logger: Logger, times = usualTimes): Mailer {
  if (!smtpUrl) return { send: () => undefined, deliver: async () => undefined, close: async () => undefined }
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: times.connectMs,
    greetingTimeout: times.connectMs,
    socketTimeout: times.silenceMs,
  })
  const underWay: Promise<void>[] = []
  const deliver = async (mail: Mail) => void (await transport.sendMail({ ...mail, to: addressesIn(mail.to), from }))
  return {
    deliver,
    send(mail) {
      const sending = deliver(mail)
        .catch((error: Error & { code?: string; responseCode?: number }) => {
          const { code, responseCode } = error // without its message, which may quote the mail
          logger.error({ code, responseCode }, 'a mail was not sent')
        })
        .finally(() => underWay.splice(underWay.indexOf(sending), 1))
      underWay.push(sending)
    },
    async close() {
      await inTime(times.lastMailsMs, Promise.all(underWay), undefined)
      transport.close()
    },
  }
}
