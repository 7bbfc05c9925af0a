/** Passkeys as the wallet frame meets them: what the dialog derived from their PRF, and what they answered. */
import type { Assertion } from '@latchkey/protocol/api'

export type HeldPasskey = { readonly credentialId: string; readonly secret: Uint8Array<ArrayBuffer> }

export const heldPasskey = (name: string): HeldPasskey => ({
  credentialId: Buffer.from(name).toString('base64url'),
  secret: crypto.getRandomValues(new Uint8Array(32)),
})

/** Nobody here checks a signature. */
export const assertionBy = (id: string): Assertion => ({
  id,
  rawId: id,
  type: 'public-key',
  clientExtensionResults: {},
  response: { clientDataJson: 'e30', authenticatorData: 'AA', signature: 'AA' },
})
