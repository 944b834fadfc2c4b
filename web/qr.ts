import { encodeQR } from 'qr'

/** A QR code as the SVG path of its dark squares. `size` is the length of a side, with the quiet zone. */
export function qrOf(text: string): { size: number; outline: string } {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: 4 })
  const outline = rows.map((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')).join('')).join('')
  return { size: rows.length, outline }
}
