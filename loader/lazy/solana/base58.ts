const letters = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** The bytes of a text whose length in bytes is known, as that of a key or a signature is. */
export function base58Bytes(text: string, length: number): Uint8Array<ArrayBuffer> {
  let value = 0n
  for (const letter of text) value = value * 58n + BigInt(letters.indexOf(letter))
  const bytes = new Uint8Array(length)
  for (let at = length - 1; at >= 0; at -= 1) {
    bytes[at] = Number(value & 0xffn)
    value >>= 8n
  }
  return bytes
}
