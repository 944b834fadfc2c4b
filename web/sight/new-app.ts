import { qrOf } from '../qr.ts'

/** An authenticator app that is being set up: its secret, the same in groups of four to be typed, and as a QR code. */
export type NewApp = { uri: string; secret: string; groups: string; qr: ReturnType<typeof qrOf> }

/**
 * What a page shows of the address `otpauth://totp/…` that the API has given; null for any other text. The API tells it
 * once, so a form brings it back for whoever has mistyped the code. It is only shown, and only to whoever sends it.
 */
export function newAppOf(uri: string): NewApp | null {
  const secret = uri.length > lengthMax ? undefined : address.exec(uri)?.[1]
  if (secret === undefined) return null
  return { uri, secret, groups: secret.replaceAll(/.{4}(?=.)/g, '$& '), qr: qrOf(uri) }
}

const address = /^otpauth:\/\/totp\/[^?#\s]{1,1000}\?[\w&=%.-]*\bsecret=([A-Z2-7]{16,64})(&[\w&=%.-]*)?$/
/** A QR code holds this much, and the address has the email address of a person. */
const lengthMax = 2_000
