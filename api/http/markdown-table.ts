/** A table of Markdown: its heads, then its rows. */
export const markdownTable = (heads: string[], rows: (string | number)[][]): string =>
  [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
