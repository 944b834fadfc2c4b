/** Reads the body of an answer as text; null where it has more than `bytesMax` bytes, of which the rest is not read. */
export async function readBounded(body: AsyncIterable<Uint8Array>, bytesMax: number): Promise<string | null> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > bytesMax) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
