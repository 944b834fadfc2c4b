/**
 * Takes an entry out of a list of what is under way, if it is there. Such a list lives as long as the process, and its
 * entries as long as a call, so it is no `Set` and no `Map`: each time V8 writes the table of one anew, the old table
 * points to the new one. Once a table is among the old objects, all later ones stay with all that was in them, until
 * the old objects are collected (docs/decisions/0105).
 */
export function removeFrom<T>(list: T[], entry: T): void {
  const place = list.indexOf(entry)
  if (place >= 0) list.splice(place, 1)
}
