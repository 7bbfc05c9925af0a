/** What a person knows a passkey by: who keeps it, or else where it was made. */
import type { LinkedAccount } from '@latchkey/protocol'

export type PasskeyAccount = Extract<LinkedAccount, { type: 'passkey' }>

export const isPasskey = (account: LinkedAccount): account is PasskeyAccount => account.type === 'passkey'

/** Undefined of a device that nothing is known of. */
export function deviceOf({
  authenticatorName,
  createdWithBrowser,
  createdWithOs,
}: PasskeyAccount): string | undefined {
  const madeWith = [createdWithBrowser, createdWithOs].filter((name) => name !== undefined)
  return authenticatorName ?? (madeWith.length > 0 ? madeWith.join(', ') : undefined)
}
