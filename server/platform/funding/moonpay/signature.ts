/** What MoonPay is sent and sends, and who signed it. */
import { createHmac } from 'node:crypto'
import { isSame } from '../../../kernel/keys/keys.ts'
import { fundingServerLimits } from '../limits.ts'

/**
 * The signature goes over the query as it stands in the address, its question mark included, and comes last.
 * https://dev.moonpay.com/docs/on-ramp-enhance-security-using-signed-urls
 */
export function signedAddress(
  address: string,
  fields: readonly (readonly [string, string])[],
  secret: string,
) {
  const url = new URL(address)
  for (const [name, value] of fields) url.searchParams.append(name, value)
  const signature = createHmac('sha256', secret).update(url.search).digest('base64')
  url.searchParams.append('signature', signature)
  return url.href
}

const header = /^t=([0-9]{1,13}),s=([0-9a-f]{64})$/

/**
 * `Moonpay-Signature-V2: t=<seconds>,s=<hex>`, over the time, a point and the body as it came. An old one may be
 * somebody's copy. https://dev.moonpay.com/api-reference/widget/webhooks/signature
 */
export function isSignedByMoonPay(
  value: string | null,
  { body, key, nowMs }: { readonly body: string; readonly key: string; readonly nowMs: number },
): boolean {
  const [, at = '', signature = ''] = header.exec(value?.replaceAll(' ', '') ?? '') ?? []
  if (signature === '') return false
  if (Math.abs(nowMs / 1_000 - Number(at)) > fundingServerLimits.webhookToleranceSeconds) return false
  const expected = createHmac('sha256', key).update(`${at}.${body}`).digest()
  return isSame(expected, Buffer.from(signature, 'hex'))
}
