import Type, { type Static } from 'typebox'
import type { OnboardingSession } from '../../db/platform/onboarding-session.ts'
import { environments } from '../../domain/access/scope.ts'
import { id, iso, nullable, Timestamp, WebAddress } from '../common.ts'

export const CreateOnboardingLink = Type.Object(
  {
    return_url: { ...WebAddress, description: 'Where the page sends the seller once they are done.' },
    refresh_url: { ...WebAddress, description: 'Where the seller gets a new link once this one has expired.' },
  },
  { $id: 'CreateOnboardingLink' },
)

/** A link to the hosted onboarding page; it is shown once, by the call that makes it. */
export const OnboardingLink = Type.Object(
  {
    account_id: id('acct'),
    url: Type.String({ description: 'The hosted page, with its token. Send the seller there.' }),
    expires_at: Timestamp,
  },
  { $id: 'OnboardingLink' },
)

export const presentOnboardingLink = (
  row: OnboardingSession,
  token: string,
  publicUrl: string,
): Static<typeof OnboardingLink> => ({
  account_id: row.accountId,
  url: `${publicUrl}/onboarding/${token}`,
  expires_at: iso(row.expiresAt),
})

/** The session of a hosted onboarding page, as the page reads it with the link's token. */
export const Onboarding = Type.Object(
  {
    account_id: id('acct'),
    environment: Type.Enum([...environments]),
    platform: nullable(
      Type.Object({ name: Type.String(), accent_color: nullable(Type.String()), logo_url: nullable(Type.String()) }),
    ),
    document_slots: Type.Array(Type.String()),
    return_url: Type.String(),
    refresh_url: Type.String(),
    expires_at: Timestamp,
  },
  { $id: 'Onboarding' },
)
