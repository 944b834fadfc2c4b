const isDigit = (code: number): boolean => /\p{Nd}/u.test(String.fromCodePoint(code))

/**
 * The value of a digit. Unicode has the ten digits of a script in a row, and may have the next ten right behind them,
 * as the five sets of mathematical digits.
 */
function valueOf(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  let before = 0
  while (isDigit(code - before - 1)) before++
  return String(before % 10)
}

/** The text with the digits of all scripts, such as Arabic or full-width ones, as `0` to `9`. */
export const latinDigits = (text: string): string => text.replaceAll(/\p{Nd}/gu, valueOf)
