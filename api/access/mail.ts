import type { User } from '../../db/access/user.ts'
import { afterCommit, type EntityManager } from '../../db/core/database.ts'
import { keepMail } from '../../db/core/mail.ts'
import type { Mail } from '../../domain/mail.ts'
import type { Services } from '../http/services.ts'

/** Who gets a mail, and whose it is. The kept copy of a mail `isForOwners` is shown to owners only. */
type Recipient = Pick<User, 'email' | 'accountId'> & { isForOwners?: boolean }

/**
 * Mails a person once `em` has committed. The mail belongs to no environment and may hold a login code. The same commit
 * stores a copy that can be read, except in a live deployment.
 */
export function mailTo(
  em: EntityManager,
  services: Services,
  { email, accountId, isForOwners = false }: Recipient,
  mail: Omit<Mail, 'to'>,
  now: number,
): void {
  const whole = { to: email, ...mail }
  afterCommit(em, () => services.mailer.send(whole))
  if (services.config.deployment === 'live') return
  keepMail(em, services.encrypter, { accountId, mail: whole, at: now, isForOwners })
}
