/** How the secret reaches an authenticator app. */

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const BITS = 5

/** RFC 4648, without padding: no app wants it. */
export function base32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('')
  const groups = bits.match(new RegExp(`.{1,${BITS}}`, 'g')) ?? []
  return groups.map((group) => ALPHABET[Number.parseInt(group.padEnd(BITS, '0'), 2)]).join('')
}

/** A colon parts the issuer from the account. https://github.com/google/google-authenticator/wiki/Key-Uri-Format */
export function keyUri({
  secret,
  issuer,
  account,
}: {
  readonly secret: string
  readonly issuer: string
  readonly account: string
}): string {
  const name = (text: string) => encodeURIComponent(text.replaceAll(':', ' ').trim())
  const query = [
    `secret=${secret}`,
    `issuer=${name(issuer)}`,
    'algorithm=SHA1',
    'digits=6',
    'period=30',
  ].join('&')
  return `otpauth://totp/${name(issuer)}:${name(account)}?${query}`
}
