import type { User } from '../../db/access/user.ts'
import { afterCommit, type EntityManager } from '../../db/core/database.ts'
import { keepMail } from '../../db/core/mail.ts'
import type { Mail } from '../../domain/mail.ts'
import type { Services } from '../http/services.ts'

/**
 * Mails a user once `em` has committed. The mail belongs to no environment and may hold a login code. The same commit
 * stores a copy that can be read, except in a live deployment.
 */
export function mailTo(em: EntityManager, services: Services, user: User, mail: Omit<Mail, 'to'>, now: number): void {
  const whole = { to: user.email, ...mail }
  afterCommit(em, () => services.mailer.send(whole))
  if (services.config.deployment === 'live') return
  keepMail(em, services.encrypter, { accountId: user.accountId, mail: whole, at: now })
}
