import { createHmac } from 'node:crypto'
import { documentLinkMs } from '../../domain/catalogue/document.ts'
import type { Services } from '../http/services.ts'
import { isSameSecret } from '../http/same-secret.ts'

type Signing = Pick<Services, 'encrypter'>

type DocumentLink = { url: string; url_expires_at: string }

/**
 * Makes links, each of which opens a private document for five minutes, for whoever may see it now. They go by the real
 * time, also where the call goes by a test clock: a clock may be a year ahead, and a link must not live a year. A link
 * is signed, so that nobody can make one for another document or a later time.
 */
export async function documentLinks(
  services: Signing & Pick<Services, 'config' | 'clock'>,
): Promise<(documentId: string) => DocumentLink> {
  const expires = (await services.clock.now()) + documentLinkMs
  return (documentId) => {
    const address = new URL(`/documents/${documentId}`, services.config.publicUrl)
    address.searchParams.set('expires', String(expires))
    address.searchParams.set('signature', sign(services, documentId, String(expires)))
    return { url: address.href, url_expires_at: new Date(expires).toISOString() }
  }
}

/** Whether a link was made by us for this document and has not expired. */
export function isLinkValid(
  services: Signing,
  { documentId, expires, signature }: Record<'documentId' | 'expires' | 'signature', string>,
  now: number,
): boolean {
  return isSameSecret(signature, sign(services, documentId, expires)) && now < Number(expires)
}

const sign = ({ encrypter }: Signing, documentId: string, expires: string): string =>
  createHmac('sha256', encrypter.deriveKey('document link')).update(`${documentId}.${expires}`).digest('base64url')
