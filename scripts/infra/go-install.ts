import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** Builds a program with Go: a module with its version, into a folder. Null if it is there now, else the reason. */
export async function goInstall(module: string, into: string): Promise<string | null> {
  const env = { ...process.env, GOBIN: into, CGO_ENABLED: '0', GOFLAGS: '' }
  const go = spawn('go', ['install', module], { env, stdio: ['ignore', 'ignore', 'pipe'] })
  const endWithUs = () => go.kill()
  process.once('exit', endWithUs)
  let output = ''
  go.stderr.setEncoding('utf8').on('data', (text: string) => {
    output = (output + text).slice(-2000)
  })
  const [code] = (await once(go, 'close')) as [number | null]
  process.off('exit', endWithUs)
  return code === 0 ? null : `\`go install ${module}\` failed: ${output.trim()}`
}
