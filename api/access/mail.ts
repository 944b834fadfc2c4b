import type { User } from '../../db/access/user.ts'
import { afterCommit, type EntityManager } from '../../db/core/database.ts'
import { keepMail } from '../../db/core/mail.ts'
import type { Mail } from '../../domain/mail.ts'
import type { Services } from '../http/services.ts'

/**
 * Mails a person once `em` has committed. Such a mail belongs to no environment and may hold a code to log in with: it
 * is kept with that commit, unless the deployment is live.
 */
export function mailTo(em: EntityManager, services: Services, user: User, mail: Omit<Mail, 'to'>, now: number): void {
  const whole = { to: user.email, ...mail }
  afterCommit(em, () => services.mailer.send(whole))
  if (services.config.deployment === 'live') return
  keepMail(em, services.encrypter, { accountId: user.accountId, mail: whole, at: now })
}
