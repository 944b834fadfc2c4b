import MarkdownIt, { type Token } from 'markdown-it'
import { highlight } from './highlight.ts'

export type Heading = { level: number; text: string; anchor: string }

/** A text under one heading, for the search. `anchor` is null for what stands under the title. */
export type Section = { anchor: string | null; heading: string; text: string }

export type Parsed = { tokens: Token[]; headings: Heading[]; sections: Section[] }

const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false })
const { escapeHtml } = markdown.utils

/** The anchor of a heading, as GitHub makes it: lower case, spaces as dashes, without punctuation. */
const anchorOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_\s-]/gu, '')
    .replaceAll(' ', '-')

const textOf = (inline: Token | undefined): string =>
  (inline?.children ?? [])
    .map(({ type, content }) => (type === 'softbreak' || type === 'hardbreak' ? ' ' : content))
    .join('')

/** Parses a page. Each heading gets an anchor, the second of the same text one with a number, as on GitHub. */
export function parse(text: string): Parsed {
  const tokens = markdown.parse(text.replaceAll(/^<!-- .* -->\n/gm, ''), {})
  const headings: Heading[] = []
  const sections: Section[] = []
  const seen = new Map<string, number>()
  for (const [index, token] of tokens.entries()) {
    const inline = tokens[index + 1]
    if (token.type === 'heading_open') {
      const heading = textOf(inline)
      const plain = anchorOf(heading)
      const times = seen.get(plain) ?? 0
      seen.set(plain, times + 1)
      const anchor = times === 0 ? plain : `${plain}-${times}`
      const level = Number(token.tag.slice(1))
      token.attrSet('id', anchor)
      headings.push({ level, text: heading, anchor })
      sections.push({ anchor: level === 1 ? null : anchor, heading, text: '' })
    } else if (token.type === 'inline' && tokens[index - 1]?.type !== 'heading_open') {
      addText(sections, textOf(token))
    } else if (token.type === 'fence') addText(sections, token.content)
  }
  return { tokens, headings, sections }
}

function addText(sections: Section[], text: string): void {
  const last = sections.at(-1)
  if (last) last.text += `${text}\n`
}

/** The first paragraph under the title, as one sentence; an empty text if the page has none. */
export function summaryOf({ tokens }: Parsed): string {
  const at = tokens.findIndex(({ type, level }) => type === 'paragraph_open' && level === 0)
  const text = textOf(tokens[at + 1])
  return /^.+?[.:?](?=\s+[A-Z`]|$)/.exec(text)?.[0].replace(/:$/, '.') ?? text
}

/** Where a link of the Markdown leads, and the picture that it shows; null if the site does not have it. */
type Places = {
  hrefOf: (href: string) => string
  pictureOf: (src: string) => { address: string; width: number; height: number } | null
}

/** Renders a parsed page as HTML, once. */
export function render({ tokens }: Parsed, { hrefOf, pictureOf }: Places): string {
  for (const token of tokens.flatMap(({ children }) => children ?? [])) {
    const href = token.type === 'link_open' ? token.attrGet('href') : null
    if (href !== null) token.attrSet('href', hrefOf(String(href)))
    const picture = token.type === 'image' ? pictureOf(String(token.attrGet('src'))) : null
    if (!picture) continue
    const { address, width, height } = picture
    // With its size the page does not jump when the picture arrives.
    for (const [name, value] of Object.entries({ src: address, width, height, loading: 'lazy' })) {
      token.attrSet(name, String(value))
    }
  }
  return markdown.renderer.render(tokens, markdown.options, {})
}

// A block of code. Blocks with `tab=` behind their language that follow each other are one block with tabs.
const tabOf = (token: Token | undefined): string | null =>
  (token?.type === 'fence' && /\btab=(\S+)/.exec(token.info)?.[1]) || null

const codeOf = ({ content, info }: Token): string => {
  const language = info.trim().split(/\s+/)[0] ?? ''
  const code = highlight(content, language) ?? escapeHtml(content)
  return `<div class="code"><p>${escapeHtml(language)}</p><pre tabindex="0"><code>${code}</code></pre></div>\n`
}

function tabsOf(tokens: Token[], group: number): string {
  const choices = tokens.map((token, index) => {
    const id = `tab-${group}-${index + 1}`
    const checked = index === 0 ? ' checked' : ''
    return (
      `<input type="radio" name="tabs-${group}" id="${id}"${checked}>` +
      `<label for="${id}">${escapeHtml(tabOf(token) ?? '')}</label>`
    )
  })
  const panels = tokens.map((token) => `<div class="panel">${codeOf(token)}</div>`)
  const inside = [...choices, ...panels].join('\n')
  return `<div class="tabs" role="radiogroup" aria-label="Language">\n${inside}</div>\n`
}

markdown.renderer.rules['fence'] = (tokens, index) => {
  const token = tokens[index]
  if (!token) return ''
  if (tabOf(token) === null) return codeOf(token)
  if (tabOf(tokens[index - 1]) !== null) return '' // it stands in the group that the first one has begun
  const end = tokens.findIndex((other, at) => at > index && tabOf(other) === null)
  return tabsOf(tokens.slice(index, end === -1 ? undefined : end), index)
}

markdown.renderer.rules['code_block'] = (tokens, index) => {
  const token = tokens[index]
  return token ? codeOf(token) : ''
}

// A wide table moves sideways in its own box, not the page.
markdown.renderer.rules['table_open'] = () => '<div class="table" tabindex="0"><table>\n'
markdown.renderer.rules['table_close'] = () => '</table></div>\n'

// A header cell without a text names nothing, so it is no header.
for (const [rule, toText] of [
  ['th_open', 1],
  ['th_close', -1],
] as const) {
  markdown.renderer.rules[rule] = (tokens, index, options, _env, self) => {
    const token = tokens[index]
    if (token && textOf(tokens[index + toText]) === '') token.tag = 'td'
    return self.renderToken(tokens, index, options)
  }
}

markdown.renderer.rules['heading_close'] = (tokens, index, options, _env, self) => {
  const open = tokens[index - 2]
  const anchor = open?.attrGet('id')
  const close = self.renderToken(tokens, index, options)
  if (!anchor || open?.tag === 'h1') return close
  const label = `Link to “${escapeHtml(textOf(tokens[index - 1]))}”`
  return ` <a class="anchor" href="#${anchor}" aria-label="${label}">#</a>${close}`
}
