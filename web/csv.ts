// Files for spreadsheets (RFC 4180): a comma between cells, and CRLF after each line.

/** Marks UTF-8, without which spreadsheets read letters with accents wrongly. */
export const csvMark = '\uFEFF'

/**
 * One line. A text that a spreadsheet would run as a formula gets an apostrophe in front; buyers choose such texts. A
 * negative amount is a number to a spreadsheet, and stays as it is.
 */
export const csvLine = (cells: readonly (string | null)[]): string =>
  `${cells.map((cell) => quoted(harmless(cell ?? ''))).join(',')}\r\n`

const isFormula = (text: string): boolean => /^[=+\-@\t\r\n]/.test(text) && !/^-\d+(\.\d+)?$/.test(text)

const harmless = (text: string): string => (isFormula(text) ? `'${text}` : text)

const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
