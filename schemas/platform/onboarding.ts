import Type, { type Static } from 'typebox'
import type { Document } from '../../db/catalogue/document.ts'
import type { OnboardingSession } from '../../db/platform/onboarding-session.ts'
import { environments } from '../../domain/access/scope.ts'
import type { DocumentSlot } from '../../domain/platform/requirement-code.ts'
import { id, iso, nullable, Timestamp, WebAddress } from '../common.ts'
import { CompanyDocument, presentDocument } from './document.ts'

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

/** The platform of an account, as its hosted page shows it. */
const Platform = Type.Object({
  name: Type.String(),
  accent_color: nullable(Type.String()),
  logo_url: nullable(Type.String()),
})

/** The session of a hosted onboarding page, as the page reads it with the link's token. */
export const Onboarding = Type.Object(
  {
    account_id: id('acct'),
    environment: Type.Enum([...environments]),
    platform: nullable(Platform),
    document_slots: Type.Array(Type.String()),
    documents: Type.Array(CompanyDocument, {
      description: 'The newest document of each slot of the account. A link to its file is in no answer to the token.',
    }),
    return_url: Type.String(),
    refresh_url: Type.String(),
    expires_at: Timestamp,
  },
  { $id: 'Onboarding' },
)

type Opened = {
  slots: readonly DocumentSlot[]
  documents: readonly Document[]
  platform: Static<typeof Platform> | null
}

/** What a link opens; `documents` are the newest of each slot. */
export const presentOnboarding = (
  row: OnboardingSession,
  { slots, documents, platform }: Opened,
): Static<typeof Onboarding> => ({
  account_id: row.accountId,
  environment: row.environment,
  platform,
  document_slots: [...slots],
  documents: documents.map(presentDocument),
  return_url: row.returnUrl,
  refresh_url: row.refreshUrl,
  expires_at: iso(row.expiresAt),
})

export const EndedOnboarding = Type.Object(
  { account_id: id('acct'), ended: Type.Literal(true), return_url: Type.String() },
  { $id: 'EndedOnboarding' },
)
