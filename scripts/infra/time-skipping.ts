import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { lookUntil } from './look-until.ts'
import { CACHE } from './paths.ts'
import { freePort } from './ports.ts'
import { SetupError } from './session.ts'
import { onPath, type Report } from './temporal-binary.ts'
import { runTool } from './tool.ts'
import { vendorDownload } from './vendor-download.ts'

const VERSION = '1.38.0'
const FROM_VENDOR = join(CACHE, 'temporal-test-server-sdk-1.24.0')
const FROM_MAVEN = join(CACHE, `temporal-test-server-${VERSION}`)
const WRAPPER = join(FROM_MAVEN, 'run')
const ARCHIVE = join(FROM_MAVEN, 'classes.jsa')
const ARCHIVE_MS = 30_000
const COORDINATES = `io.temporal:temporal-test-server:${VERSION}`

/** The path of an executable that runs the time-skipping server on the port it is given. */
export async function timeSkippingServer(report: Report): Promise<string> {
  if (existsSync(FROM_VENDOR)) return FROM_VENDOR
  if (existsSync(FROM_MAVEN)) return readyToRun()
  mkdirSync(CACHE, { recursive: true })
  report(`Time-skipping server: fetching it from its vendor (once; kept in ${CACHE}) ...`)
  const refused = await vendorDownload('temporal-test-server', 'default', FROM_VENDOR)
  if (refused === null) return FROM_VENDOR
  report(`Time-skipping server: the vendor's download did not work (${refused}); asking Maven Central ...`)
  const missing = ['mvn', 'java'].filter((tool) => onPath(tool) === null)
  const complaint = missing.length > 0 ? `not on PATH: ${missing.join(', ')}` : await fetchWithMaven()
  if (complaint === null) return readyToRun()
  throw new SetupError(`The time-skipping server, needed by the process tests, is missing. Provide one of these:
  1. the vendor's download at https://temporal.download (tried: ${refused})
  2. Java 11 or newer and Maven, to fetch ${COORDINATES} from Maven Central (tried: ${complaint})`)
}

/** Null if the server's libraries are now in the cache, else the reason. */
async function fetchWithMaven(): Promise<string | null> {
  const work = mkdtempSync(`${FROM_MAVEN}-`)
  try {
    writeFileSync(join(work, 'pom.xml'), POM)
    const goal = ['dependency:copy-dependencies', '-DincludeScope=runtime', `-DoutputDirectory=${join(work, 'lib')}`]
    const complaint = await runTool('mvn', '-q', '-B', '-f', join(work, 'pom.xml'), ...goal)
    if (complaint !== null) return `mvn failed: ${complaint.trim().slice(-1500)}`
    if (!existsSync(FROM_MAVEN)) renameSync(work, FROM_MAVEN)
    return null
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

async function readyToRun(): Promise<string> {
  if (!existsSync(ARCHIVE)) await archiveClasses()
  return writeWrapper()
}

/**
 * Keeps the classes that a start loads, from which the next start takes less than half of the processor time. A server
 * without them, or with those of another Java, only starts slower: so nothing here is an error.
 */
async function archiveClasses(): Promise<void> {
  const written = `${ARCHIVE}-${process.pid}`
  const port = await freePort()
  const command = [...FLAGS, `-XX:ArchiveClassesAtExit=${written}`, '-cp', join(FROM_MAVEN, 'lib/*'), MAIN, `${port}`]
  const server = spawn('java', command, { stdio: 'ignore' })
  const ended = once(server, 'close').catch(() => undefined)
  const isRunning = () => server.pid !== undefined && server.exitCode === null
  await lookUntil(() => answersOn(port), { limitMs: ARCHIVE_MS, isPossible: isRunning })
  server.kill()
  await ended
  if (existsSync(written)) renameSync(written, ARCHIVE)
}

async function answersOn(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  const isOpen = await once(socket, 'connect').then(
    () => true,
    () => false,
  )
  socket.destroy()
  return isOpen
}

/** Writes it at every start, so that a cache that is kept has today's flags; renamed, as another run may execute it. */
function writeWrapper(): string {
  const written = `${WRAPPER}-${process.pid}`
  writeFileSync(written, RUN, { mode: 0o755 })
  renameSync(written, WRAPPER)
  return WRAPPER
}

const [groupId, artifactId] = COORDINATES.split(':')
const POM = `<project>
  <modelVersion>4.0.0</modelVersion>
  <groupId>steadypay</groupId><artifactId>time-skipping</artifactId><version>1</version>
  <dependencies>
    <dependency>
      <groupId>${groupId}</groupId><artifactId>${artifactId}</artifactId><version>${VERSION}</version>
    </dependency>
  </dependencies>
</project>
`
// The first tier of the just-in-time compiler starts faster, and a test server never runs long enough for the second.
// The serial collector needs less processor time than the default one, which works on all cores.
const FLAGS = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC']
const MAIN = 'io.temporal.testserver.TestServer'
const RUN = `#!/bin/sh
here=$(dirname "$0")
exec java ${FLAGS.join(' ')} -XX:SharedArchiveFile="$here/classes.jsa" -cp "$here/lib/*" ${MAIN} "$@"
`
