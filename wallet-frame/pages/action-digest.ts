import { type AccountAction, toAccountActionText } from '@latchkey/protocol/wallet'

/**
 * Computes the digest of an account action. Pages compute it from the displayed data and compare it with the
 * received digest.
 */
export async function actionDigest(action: AccountAction): Promise<string> {
  const text = new TextEncoder().encode(toAccountActionText(action))
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', text))
  return `0x${Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
