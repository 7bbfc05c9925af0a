import { type AccountAction, accountActionText } from '@latchkey/protocol/wallet'

/** What the server has a statement approve of an action: made here of what a page shows, not of what it was told. */
export async function actionDigest(action: AccountAction): Promise<string> {
  const text = new TextEncoder().encode(accountActionText(action))
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', text))
  return `0x${Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
