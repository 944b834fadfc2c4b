/** The form that a page shows, with its hidden fields: sends it as a browser without a script would. */
export async function formOf(address: string, headers: Record<string, string> = {}) {
  const html = await (await fetch(address, { headers })).text()
  const hidden = html.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)
  const fields = Object.fromEntries([...hidden].map(([, name, value]) => [name, value]))
  return (more: Record<string, string>) =>
    fetch(address, { method: 'POST', redirect: 'manual', headers, body: new URLSearchParams({ ...fields, ...more }) })
}
