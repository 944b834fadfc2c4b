import { sha256 } from '@noble/hashes/sha2.js'
import { keccak_256 as keccak } from '@noble/hashes/sha3.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { base58, createBase58check } from '@scure/base'
import type { CryptoNetwork } from '../checkout/crypto.ts'

const base58check = createBase58check(sha256)
const tronPrefix = 0x41

/** Reads an address for each network: the address in its standard spelling, or null for a text that is none. */
const readers: Partial<Record<CryptoNetwork, (text: string) => string | null>> = {
  BEP20: readEthereum,
  ERC20: readEthereum,
  SOL: (text) => (bytesOf(() => base58.decode(text))?.length === 32 ? text : null),
  TRC20(text) {
    const bytes = bytesOf(() => base58check.decode(text))
    return bytes?.length === 21 && bytes[0] === tronPrefix ? text : null
  },
}

/** Reads an address by its network's own checksum; null for what is no address there. */
export const readAddress = (network: CryptoNetwork, text: string): string | null => readers[network]?.(text) ?? null

/**
 * Ethereum's addresses and those of the chains like it carry their checksum in the case of their letters (EIP-55).
 * One in a single case has none; it is given the right one.
 */
function readEthereum(text: string): string | null {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) return null
  const digits = text.slice(2)
  const checked = withChecksum(digits.toLowerCase())
  const hasNone = digits === digits.toLowerCase() || digits === digits.toUpperCase()
  return hasNone || text === checked ? checked : null
}

function withChecksum(digits: string): string {
  const hash = bytesToHex(keccak(utf8ToBytes(digits)))
  const isUpper = (index: number) => Number.parseInt(hash[index] ?? '0', 16) >= 8
  return `0x${[...digits].map((digit, index) => (isUpper(index) ? digit.toUpperCase() : digit)).join('')}`
}

/** Decodes a text; null where the decoder throws, at a wrong character or checksum. */
function bytesOf(decode: () => Uint8Array): Uint8Array | null {
  try {
    return decode()
  } catch {
    return null
  }
}
