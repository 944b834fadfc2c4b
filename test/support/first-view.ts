import assert from 'node:assert/strict'

/** What a first view of a page may take. */
const bytesMax = 150_000
const requestsMax = 12

/**
 * Asserts of pages that a first view of each takes at most 150 KB in 12 requests, all of them to us. `base` is the
 * address of the pages.
 */
export function createFirstViews(base: string) {
  const sizes = new Map<string, number>()

  async function sizeOf(path: string): Promise<number> {
    const known = sizes.get(path)
    if (known !== undefined) return known
    const answer = await fetch(base + path)
    assert.equal(answer.status, 200, path)
    const size = (await answer.arrayBuffer()).byteLength
    sizes.set(path, size)
    return size
  }

  return async (name: string, html: string): Promise<void> => {
    const parts = [...html.matchAll(/<(?:link|script|img)\b[^>]*?(?:href|src)="([^"]+)"/g)].map(([, part = '']) => part)
    for (const part of parts) assert.match(part, /^\/(?!\/)/, `${name} loads ${part}`)
    const bytes = await Promise.all(parts.map(sizeOf))
    const sum = bytes.reduce((total, size) => total + size, Buffer.byteLength(html))
    assert.ok(parts.length > 0, `${name} has no styles`)
    assert.ok(parts.length + 1 <= requestsMax, `${name}: ${parts.length + 1} requests`)
    assert.ok(sum <= bytesMax, `${name}: ${sum} bytes`)
  }
}
