import Type, { type Static } from 'typebox'
import type { PendingAuthenticator as PendingRow } from '../../db/access/authenticator.ts'
import type { LoginChallenge as ChallengeRow } from '../../db/access/login.ts'
import type { User as UserRow } from '../../db/access/user.ts'
import { iso, isoOrNull, nullable, Timestamp } from '../common.ts'
import { Code, Password } from './login.ts'

// How a person changes what they sign in with.

const method = Type.Enum(['totp', 'email_otp'])
const codeType = Type.Optional(Type.Enum(['primary', 'backup'], { default: 'primary' }))

/** Both factors of the person who calls. */
export const BothFactors = Type.Object({ password: Password, code: Code, code_type: codeType }, { $id: 'BothFactors' })

export const PasswordAndCode = Type.Object({ password: Password, code: Code }, { $id: 'PasswordAndCode' })

export const ChangePassword = Type.Object(
  { current_password: Password, new_password: Password, code: Code, code_type: codeType },
  { $id: 'ChangePassword' },
)

export const ConfirmAuthenticator = Type.Object({ code: Code }, { $id: 'ConfirmAuthenticator' })

/** What the person signs in with beside the password. */
export const SecondFactor = Type.Object(
  { method, backup_codes_left: Type.Integer({ minimum: 0 }), pending_until: nullable(Timestamp) },
  { $id: 'SecondFactor' },
)

export const presentSecondFactor = (
  user: UserRow,
  backupCodesLeft: number,
  pending: PendingRow | null,
): Static<typeof SecondFactor> => ({
  method: user.method,
  backup_codes_left: backupCodesLeft,
  pending_until: isoOrNull(pending?.expiresAt ?? null),
})

export const MailedCode = Type.Object({ method, expires_at: Timestamp }, { $id: 'MailedCode' })

export const presentMailedCode = (row: ChallengeRow): Static<typeof MailedCode> => ({
  method: row.method,
  expires_at: iso(row.expiresAt),
})

export const ChangedPassword = Type.Object({ status: Type.Enum(['changed']) }, { $id: 'ChangedPassword' })

export const BackupCodes = Type.Object({ backup_codes: Type.Array(Type.String()) }, { $id: 'BackupCodes' })

export const NewAuthenticator = Type.Object(
  { secret: Type.String(), otpauth_uri: Type.String(), expires_at: Timestamp },
  { $id: 'NewAuthenticator' },
)

export const ReplacedAuthenticator = Type.Object(
  { status: Type.Enum(['replaced']), method },
  { $id: 'ReplacedAuthenticator' },
)
