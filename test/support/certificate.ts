import { generateKeyPairSync, sign } from 'node:crypto'

/** A self-signed certificate for one DNS name, as PEM. It is built here so that no private key is in the repository. */
export function selfSigned(dnsName: string): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const algorithm = sequence(oid('2a8648ce3d040302')) // ecdsa-with-SHA256
  const name = sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from(dnsName)))))
  const validity = sequence(der(0x18, Buffer.from('20200101000000Z')), der(0x18, Buffer.from('21200101000000Z')))
  const names = sequence(oid('551d11'), der(0x04, sequence(der(0x82, Buffer.from(dnsName)))))
  const body = sequence(
    der(0xa0, integer(2)), // version 3
    integer(1),
    algorithm,
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(names)),
  )
  const signature = der(0x03, Buffer.concat([Buffer.of(0), sign('sha256', body, privateKey)]))
  const encoded = sequence(body, algorithm, signature).toString('base64')
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${encoded.replaceAll(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
  }
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content
  const head = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.of(tag, ...head), content])
}

const sequence = (...parts: Buffer[]) => der(0x30, Buffer.concat(parts))
const integer = (value: number) => der(0x02, Buffer.of(value))
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'))
