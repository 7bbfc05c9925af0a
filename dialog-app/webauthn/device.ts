/** The device name of a passkey: its provider, or the browser and system that created it. */
import type { LinkedAccount } from '@latchkey/protocol'

export type PasskeyAccount = Extract<LinkedAccount, { type: 'passkey' }>

export const isPasskey = (account: LinkedAccount): account is PasskeyAccount => account.type === 'passkey'

/** Returns undefined for an unknown device. */
export function getDeviceName({
  authenticatorName,
  createdWithBrowser,
  createdWithOs,
}: PasskeyAccount): string | undefined {
  const madeWith = [createdWithBrowser, createdWithOs].filter((name) => name !== undefined)
  return authenticatorName ?? (madeWith.length > 0 ? madeWith.join(', ') : undefined)
}
