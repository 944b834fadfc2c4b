import { createPrivateKey, X509Certificate } from 'node:crypto'
import type { WhyWrong } from './checked-text.ts'

/** A text in PEM, in which line ends may be written as "\n", as in a variable of one line. */
export const withLines = (text: string): string => text.replaceAll(/(?:\\r)?\\n/g, '\n')

type Block = { label: string; pem: string }

/** The parts of a text in PEM. What stands between them is a comment. Null if one of them does not end. */
function blocksOf(text: string): Block[] | null {
  const lines = withLines(text)
  const blocks = [...lines.matchAll(/-----BEGIN ([A-Z0-9 ]+)-----[^]*?-----END \1-----/g)]
  if (blocks.length !== lines.split('-----BEGIN ').length - 1) return null
  return blocks.map(([pem, label = '']) => ({ label, pem }))
}

const cut = 'it is cut off, or its line ends are lost'

export const wrongCertificates: WhyWrong = (text) => {
  const blocks = blocksOf(text)
  if (blocks === null) return cut
  if (blocks.length === 0) return 'it has no line -----BEGIN CERTIFICATE-----'
  if (blocks.some(({ label }) => label !== 'CERTIFICATE')) return 'it must hold certificates only'
  const unread = blocks.findIndex(({ pem }) => !isCertificate(pem))
  return unread === -1 ? null : `certificate ${unread + 1} of ${blocks.length} cannot be read`
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0
  } catch {
    return false
  }
}

/** What the SDK's worker cannot use is refused here: its own message says less. */
export const wrongPrivateKey: WhyWrong = (text) => {
  const blocks = blocksOf(text)?.filter(({ label }) => label !== 'EC PARAMETERS')
  if (!blocks) return cut
  const [block, ...more] = blocks
  if (!block?.label.endsWith('PRIVATE KEY')) return 'it has no line -----BEGIN PRIVATE KEY-----'
  if (more.length > 0) return 'it holds more than one key'
  if (block.label.startsWith('ENCRYPTED') || block.pem.includes('Proc-Type: 4,ENCRYPTED'))
    return 'it is encrypted; openssl pkey -in encrypted.pem -out key.pem writes it without a passphrase'
  return wrongKind(block.pem)
}

/** The curves as Node names them: P-256 and P-384. */
const curves = ['prime256v1', 'secp384r1']
const rsaBitsMin = 2048

function wrongKind(pem: string): string | null {
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = createPrivateKey(pem)
    const { namedCurve = '', modulusLength = 0 } = asymmetricKeyDetails ?? {}
    if (asymmetricKeyType === 'rsa' && modulusLength >= rsaBitsMin) return null
    if (asymmetricKeyType === 'ed25519' || (asymmetricKeyType === 'ec' && curves.includes(namedCurve))) return null
    return `it must be of RSA with ${rsaBitsMin} bits or more, of the curves P-256 or P-384, or of Ed25519`
  } catch {
    return 'it cannot be read'
  }
}

/** Whether this is the key of the first of these certificates. Both can be read. */
export const isPair = (certificates: string, key: string): boolean =>
  new X509Certificate(withLines(certificates)).checkPrivateKey(createPrivateKey(withLines(key)))
