import { invitationPath } from '../../commands/access/invitation.ts'
import { loadConfig } from '../../engine/config.ts'

/** The link of an invitation. Throws a `ConfigError` unless the whole configuration is good, as that of the API is. */
export const linkTo = (token: string): string => loadConfig().publicUrl + invitationPath(token)
