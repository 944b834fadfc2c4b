// What node_modules has of package-lock.json. Plain JavaScript for Node 20, as scripts/run.mjs needs it before anything
// is installed. `wanted` and `found` are the `packages` of two lockfiles: what is to be there, and what npm has put
// there.

/** Whether everything is there that has to be. An optional package may be missing: npm skips it where it fails. */
export const isInstalled = (wanted, found) =>
  packagesOf(wanted).every(([path, entry]) =>
    found[path] === undefined
      ? Boolean(entry.optional || entry.devOptional || entry.peer)
      : found[path].version === entry.version,
  )

/** The packages that are missing and made for this machine, so that npm has failed to get them. */
export const missingHere = (wanted, found, machine) =>
  packagesOf(wanted)
    .filter(([path, entry]) => found[path] === undefined && isMadeFor(machine, entry))
    .map(([path]) => path.replace(/^.*node_modules\//, ''))

const packagesOf = (packages) => Object.entries(packages).filter(([path, entry]) => path !== '' && !entry.link)

/** Whether a package names machines, and this one is among them. `libc` is read last: it takes long to find out. */
function isMadeFor(machine, entry) {
  const named = ['os', 'cpu', 'libc'].filter((name) => entry[name] !== undefined)
  return named.length > 0 && named.every((name) => isAmong(machine[name], [entry[name]].flat()))
}

/** As npm reads these lists: `!name` leaves one out, and all others are in if no list names them. */
function isAmong(value, names) {
  if (names.includes(`!${value}`)) return false
  return names.every((name) => name.startsWith('!')) || names.includes(value) || names.includes('any')
}
