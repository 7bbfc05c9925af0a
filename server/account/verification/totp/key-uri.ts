/** How the secret reaches an authenticator app. */
import { base32nopad } from '@scure/base'

/** Apps show and take the secret without padding. */
export const base32 = base32nopad.encode

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
