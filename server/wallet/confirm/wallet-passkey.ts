/**
 * Approves a request on an isolated page by the user's recovery passkey. Its relying party is the wallet hostname, so
 * only wallet pages can use it. It is exempt from the wait for new methods, because setting it required the wallet.
 */
import { LatchkeyError } from '@latchkey/protocol'
import type { Assertion, AssertionOptions } from '@latchkey/protocol/api'
import type { ServerContext } from '../../kernel/context.ts'
import type { App } from '../../kernel/ports.ts'
import { registryKey } from '../../kernel/registry.ts'
import { isOpenerIsolated, requireOpenerIsolation } from './code/code.ts'
import type { ConfirmationRow } from './tables.ts'

/** The approval that the challenge is bound to. An assertion is valid for no other request and for no recovery. */
export type PasskeyApproval = {
  app: App
  userId: string
  /** The id and the digest of the request. */
  request: string
}

/** The port that the passkey recovery implements. */
export type WalletPasskey = {
  /** Creates a challenge. Returns undefined without a recovery passkey, or if the rate limit is exceeded. */
  createChallenge: (
    context: ServerContext,
    approval: PasskeyApproval,
  ) => Promise<AssertionOptions | undefined>
  /** Verifies an assertion. Consumes the challenge even if the assertion is invalid. */
  verifyAssertion: (
    context: ServerContext,
    approval: PasskeyApproval,
    assertion: Assertion,
  ) => Promise<boolean>
}
export const walletPasskey = registryKey<WalletPasskey>('the passkey that keeps a wallet')

type Approving = { app: App; row: Pick<ConfirmationRow, 'id' | 'user_id' | 'digest'> }

const toPasskeyApproval = ({ app, row }: Approving): PasskeyApproval => ({
  app,
  userId: row.user_id,
  request: `${row.id} ${row.digest}`,
})

export async function createPasskeyChallenge(
  context: ServerContext,
  approving: Approving,
): Promise<AssertionOptions | null> {
  if (!isOpenerIsolated(approving.app)) return null
  return (
    (await walletPasskey.get(context.ports).createChallenge(context, toPasskeyApproval(approving))) ?? null
  )
}

export async function assertPasskeyApproves(
  context: ServerContext,
  approving: Approving,
  assertion: Assertion,
): Promise<void> {
  requireOpenerIsolation(approving.app)
  if (
    await walletPasskey.get(context.ports).verifyAssertion(context, toPasskeyApproval(approving), assertion)
  )
    return
  throw new LatchkeyError('invalid_credentials', 'The passkey did not approve the request')
}
