import MiniSearch from 'minisearch'
import type { DocPage } from './library.ts'

/** What can be found: a page (`isPage`), or a section of one. */
export type Entry = { address: string; title: string; heading: string; text: string; isPage: boolean }

export type Hit = { address: string; title: string; heading: string; excerpt: Excerpt[] }
/** A piece of an excerpt; `isMatch` if it is one of the words that were looked for. */
type Excerpt = { text: string; isMatch: boolean }

export type Search = (question: string) => Hit[]

export const hitsMax = 30
const questionMax = 100
const wordsMax = 8
/** A word that is shorter is found as it is: so many words begin with one letter that a search would take long. */
const beginningMin = 3
const excerptLength = 160

/** The entries of a page: the page with the text under its title, and each of its sections. */
export const entriesOf = ({ path, title, sections }: DocPage): Entry[] =>
  sections.map(({ anchor, heading, text }) => ({
    address: anchor === null ? path : `${path}#${anchor}`,
    title,
    heading: anchor === null ? '' : heading,
    text,
    isPage: anchor === null,
  }))

/** A search over the entries. A page whose title has the word comes before all others, then headings, then texts. */
export async function createSearch(entries: Entry[]): Promise<Search> {
  const index = new MiniSearch<Entry & { id: number; name: string }>({
    fields: ['name', 'heading', 'text'],
    storeFields: [],
    searchOptions: {
      boost: { name: 6, heading: 3 },
      prefix: (word) => word.length >= beginningMin,
      fuzzy: 0.15,
      combineWith: 'AND',
    },
  })
  const rows = entries.map((entry, id) => ({ ...entry, id, name: entry.isPage ? entry.title : '' }))
  await index.addAllAsync(rows)
  return (question) => {
    const words = question.slice(0, questionMax).split(/\s+/).slice(0, wordsMax).join(' ')
    const found = index.search(words)
    const inTitle = found.filter(({ match }) => Object.values(match).some((fields) => fields.includes('name')))
    const rest = found.filter((one) => !inTitle.includes(one))
    return [...inTitle, ...rest].slice(0, hitsMax).flatMap(({ id, terms }) => {
      const entry = entries[Number(id)]
      return entry ? [{ ...entry, excerpt: excerptOf(entry.text, terms) }] : []
    })
  }
}

/** The part of a text around the first of the words, in pieces. */
function excerptOf(text: string, words: string[]): Excerpt[] {
  const plain = text.replaceAll(/\s+/g, ' ').trim()
  const pattern = new RegExp(`(${words.map((word) => RegExp.escape(word)).join('|')})`, 'iu')
  const at = Math.max(plain.search(pattern), 0)
  const from = at < excerptLength / 2 ? 0 : plain.lastIndexOf(' ', at - excerptLength / 4) + 1
  const cut = plain.slice(from, from + excerptLength)
  const shown = `${from > 0 ? '… ' : ''}${cut}${from + excerptLength < plain.length ? ' …' : ''}`
  return shown
    .split(new RegExp(pattern, 'giu'))
    .map((piece, index) => ({ text: piece, isMatch: index % 2 === 1 }))
    .filter((piece) => piece.text !== '')
}
