import Type, { type Static } from 'typebox'
import type { AccountSettings } from '../../domain/platform/account-settings.ts'
import { nullable } from '../common.ts'

/** What the pages for buyers show of the seller, beside the name (docs/guides/account.md). */
export const MerchantBrand = Type.Object({
  support_email: nullable(Type.String()),
  logo_url: nullable(Type.String()),
  accent_color: nullable(Type.String()),
})

type Settings = Pick<AccountSettings, 'supportEmail' | 'logo' | 'accentColor'>

/** `publicUrl` serves the uploads, one of which is the logo. */
export const presentBrand = (
  { supportEmail, logo, accentColor }: Settings,
  publicUrl: string,
): Static<typeof MerchantBrand> => ({
  support_email: supportEmail,
  logo_url: logo && `${publicUrl}/uploads/${logo}`,
  accent_color: accentColor,
})
