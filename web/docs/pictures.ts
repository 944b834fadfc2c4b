import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A picture of the documentation: where it is served, its size in pixels, and its bytes. */
export type Picture = {
  /** The path with its version, which changes with the content. */
  address: string
  version: string
  width: number
  height: number
  bytes: Buffer
}

/** The folder of all pictures, from the root of the repository. */
const folder = 'docs/images'

/** Reads the pictures, by their files, such as `docs/images/checkout.png`. No other file is served. */
export async function readPictures(root: string): Promise<Map<string, Picture>> {
  const pictures = new Map<string, Picture>()
  for (const name of await readdir(join(root, folder))) {
    if (!/^[a-z0-9-]+\.png$/.test(name)) continue
    const bytes = await readFile(join(root, folder, name))
    const version = createHash('sha256').update(bytes).digest('hex').slice(0, 12)
    const address = `/${folder}/${name}?v=${version}`
    // The first chunk of a PNG has its width and height, at a fixed place.
    const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
    pictures.set(`${folder}/${name}`, { address, version, width, height, bytes })
  }
  return pictures
}
