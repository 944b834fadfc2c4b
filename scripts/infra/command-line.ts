/** Whether this process was started by the entry point of the image, which has no npm. */
export const isInImage = /[\\/]scripts[\\/]image[\\/]run\.ts$/.test(process.argv[1] ?? '')

/** What starts a command of an operator here: `npm run invite -- EMAIL` in a clone, `invite EMAIL` in the image. */
export function commandLine(name: string, args = ''): string {
  if (isInImage) return args ? `${name} ${args}` : name
  return args ? `npm run ${name} -- ${args}` : `npm run ${name}`
}
