// Files for spreadsheets (RFC 4180): a comma between cells, and CRLF after each line.

/** Marks UTF-8, without which spreadsheets read letters with accents wrongly. */
export const csvMark = '\uFEFF'

/**
 * One line. What a spreadsheet would run as a formula gets an apostrophe in front; buyers choose such texts. A negative
 * amount is a number to a spreadsheet, and stays as it is.
 */
export const csvLine = (cells: readonly (string | null)[]): string =>
  `${cells.map((cell) => quoted(harmless(cell ?? ''))).join(',')}\r\n`

const isFormula = (text: string): boolean => /^[=+\-@\t\r\n]/.test(text) && !/^-\d+(\.\d+)?$/.test(text)

/**
 * The places in a text after which a formula begins to a spreadsheet that divides cells at semicolons or tabs, as it
 * does in French and German: there the quotes around a cell between commas are no quotes, and a line break in it ends
 * the line. Quotes right after such a place are those of a cell, and the formula begins behind them.
 */
const hiddenFormulas = /([;\t\r\n])(?="*[=+\-@])/g

const harmless = (text: string): string =>
  (isFormula(text) ? `'${text}` : text).replaceAll(hiddenFormulas, (divider) => `${divider}'`)

const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
