import { JpegEmbedder, type PDFDocument, type PDFImage } from 'pdf-lib'
import sharp from 'sharp'
import type { UploadType } from '../domain/catalogue/upload.ts'

// Images of merchants in the PDFs that are made here: papers of the API, and the evidence of a dispute.

sharp.concurrency(1) // one image at a time takes one thread beside ours, not one for each processor
sharp.cache(false)

/**
 * Adds an image to a document; null where it is damaged, animated or of another type, and for a PNG of more than
 * `pixelsMax` pixels, as it is unpacked in memory. A JPEG is added as it is. A PNG is added as a JPEG on white: pdf-lib
 * has a decoder for PNGs that trusts the file, and some of 60 bytes keep it busy for ever or take all memory.
 */
export async function embedImage(
  document: PDFDocument,
  bytes: Uint8Array,
  contentType: UploadType,
  pixelsMax: number,
): Promise<PDFImage | null> {
  try {
    if (contentType === 'image/jpeg') return await embedJpeg(document, bytes)
    if (contentType === 'image/png') return await embedJpeg(document, await onWhite(bytes, pixelsMax))
    return null
  } catch {
    return null
  }
}

async function embedJpeg(document: PDFDocument, bytes: Uint8Array): Promise<PDFImage | null> {
  const copy = new Uint8Array(bytes) // as pdf-lib reads the whole buffer that the bytes may be a part of
  const { width, height } = await JpegEmbedder.for(copy)
  return width > 0 && height > 0 ? document.embedJpg(copy) : null
}

async function onWhite(png: Uint8Array, pixelsMax: number): Promise<Uint8Array> {
  if (Buffer.from(png).includes('acTL')) throw new Error('animated: a page would show its first image alone')
  const image = sharp(png, { limitInputPixels: pixelsMax, failOn: 'warning' })
  const { format } = await image.metadata()
  if (format !== 'png') throw new Error('no PNG')
  return image.flatten({ background: 'white' }).jpeg({ quality: 90, chromaSubsampling: '4:4:4' }).toBuffer()
}
