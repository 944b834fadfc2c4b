import { request } from 'undici'
import { PaystackUnclear } from './api.ts'
import { minuteMs } from '../../domain/duration.ts'

/** Gives a file to the address that Paystack has signed for it. */
export type Uploads = { put(url: string, bytes: Uint8Array): Promise<void> }

const timeoutMs = minuteMs

/**
 * Uploads to the storage that Paystack uses. Other hosts, and what is not https, are refused: the evidence contains
 * personal data. Our key is not sent. `hosts` are names with all names below them; a loopback address needs no https.
 */
export const createUploads = (hosts: readonly string[]): Uploads => ({
  async put(url, bytes) {
    const target = URL.parse(url)
    const name = target?.hostname ?? ''
    const isKnown = hosts.some((host) => name === host || name.endsWith(`.${host}`))
    const isSafe = target?.protocol === 'https:' || name === '127.0.0.1'
    if (!isKnown || !isSafe) throw new PaystackUnclear('Paystack sends evidence to an address that is not its storage')
    const signal = AbortSignal.timeout(timeoutMs)
    const status = await request(url, { method: 'PUT', body: bytes, signal }).then(
      async ({ statusCode, body }) => {
        await body.dump()
        return statusCode
      },
      () => null, // the error may hold the signed address
    )
    if (status === null || status < 200 || status >= 300)
      throw new PaystackUnclear(`the storage of Paystack answers an upload with ${status ?? 'nothing'}`)
  },
})
