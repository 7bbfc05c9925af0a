const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/**
 * Encodes bytes in base58. The core contains `@scure/base`, and would contain the library's base58 too: 0.6 kB with every
 * page.
 */
export function encodeBase58(bytes: Uint8Array): string {
  let number = bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n)
  let digits = ''
  for (; number > 0n; number /= 58n) digits = alphabet[Number(number % 58n)] + digits
  const end = bytes.findIndex((byte) => byte !== 0)
  return '1'.repeat(end < 0 ? bytes.length : end) + digits
}
