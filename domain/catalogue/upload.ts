import { dayMs } from '../duration.ts'

/** The types of file that are taken (docs/contract/catalogue.md, "Uploads"). */
export const uploadTypes = ['image/png', 'image/jpeg', 'image/webp', 'application/pdf'] as const
export type UploadType = (typeof uploadTypes)[number]

/** 10 MB (docs/contract/catalogue.md, "Uploads"). */
export const uploadBytesMax = 10 * 1024 * 1024
export const fileNameMax = 255

/** 1 GB: so much an organization may have, in each environment, in uploads that nothing uses. */
export const unattachedBytesMax = 1024 ** 3

/** 10 GB: so many kilobytes an organization may send in a day, in each environment. */
export const sentKilobytesMax = 10_000_000

/** How long an upload that nothing uses is kept. */
export const unattachedKeptMs = dayMs

/** Who may see an upload: everybody who knows its address, or only whom its owner or staff gives a short-lived link. */
export const visibilities = ['public', 'private'] as const
export type Visibility = (typeof visibilities)[number]

export const isImage = (type: UploadType): boolean => type.startsWith('image/')

/** One character per byte. */
const latin = (bytes: Uint8Array, from: number, to: number): string => String.fromCharCode(...bytes.subarray(from, to))

const isType: Record<UploadType, (bytes: Uint8Array) => boolean> = {
  // The signature and the chunk that every PNG begins with.
  'image/png': (bytes) => latin(bytes, 0, 8) === '\x89PNG\r\n\x1a\n' && latin(bytes, 12, 16) === 'IHDR',
  // Start of image, and the first byte of the marker that follows.
  'image/jpeg': (bytes) => latin(bytes, 0, 3) === '\xff\xd8\xff',
  'image/webp': (bytes) =>
    latin(bytes, 0, 4) === 'RIFF' && latin(bytes, 8, 12) === 'WEBP' && /^VP8[ LX]$/.test(latin(bytes, 12, 16)),
  'application/pdf': (bytes) => /^%PDF-[12]\.\d/.test(latin(bytes, 0, 8)),
}

/** The type of a file by its first bytes, whatever type the caller named; null when it is not an accepted type. */
export const typeOfContent = (bytes: Uint8Array): UploadType | null =>
  uploadTypes.find((type) => isType[type](bytes)) ?? null
