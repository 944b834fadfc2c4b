/** One block of a stream of server-sent events. Empty texts: it has none of these. */
export type Frame = { id: string; event: string; data: string; comment: string }

/**
 * The blocks of a stream of server-sent events (HTML standard, "Interpreting an event stream"), also those without
 * data: their ids say how far the stream has come. A block that was cut off is left out. Throws what reading throws.
 */
export async function* framesIn(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Frame> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of chunks) {
    rest += decoder.decode(chunk, { stream: true })
    const blocks = rest.split(/\r\n\r\n|\n\n|\r\r/)
    rest = blocks.pop() ?? ''
    for (const block of blocks) yield frameOf(block)
  }
}

function frameOf(block: string): Frame {
  const fields = new Map<string, string[]>()
  for (const line of block.split(/\r\n|\n|\r/)) {
    const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? []
    fields.set(name, [...(fields.get(name) ?? []), value])
  }
  const last = (name: string) => fields.get(name)?.at(-1) ?? ''
  return {
    id: last('id'),
    event: last('event'),
    data: (fields.get('data') ?? []).join('\n'),
    comment: (fields.get('') ?? []).join('\n'),
  }
}
