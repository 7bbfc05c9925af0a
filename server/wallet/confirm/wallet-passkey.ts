/**
 * A request whose page is cut off is approved by the passkey that keeps its user's wallet, where one does. The relying
 * party of that passkey is the wallet's hostname: the page of a confirmation may ask it, and no page of the dialog may.
 * It is never new to the account as a linked method can be: only who had the wallet could have it kept by a passkey.
 */
import { LatchkeyError } from '@latchkey/protocol'
import type { Assertion, AssertionOptions } from '@latchkey/protocol/api'
import type { ServerContext } from '../../kernel/context.ts'
import type { App } from '../../kernel/ports.ts'
import { registryKey } from '../../kernel/registry.ts'
import { isCutOff, requireCutOff } from './code/code.ts'
import type { ConfirmationRow } from './tables.ts'

/** What it approves: an answer for one is of no use for another, and none of a recovery is of any use here. */
export type AskedToApprove = {
  app: App
  userId: string
  /** Names the request and its digest. */
  request: string
}

/** Those who recover wallets by it put this in the registry. */
export type WalletPasskey = {
  /** Makes a challenge and the options with it. Undefined where no passkey keeps the wallet, or too many were made. */
  ask: (context: ServerContext, asked: AskedToApprove) => Promise<AssertionOptions | undefined>
  /** The challenge is used up by this, whatever the answer is worth. */
  isAnsweredBy: (context: ServerContext, asked: AskedToApprove, answer: Assertion) => Promise<boolean>
}
export const walletPasskey = registryKey<WalletPasskey>('the passkey that keeps a wallet')

type Approving = { app: App; row: Pick<ConfirmationRow, 'id' | 'user_id' | 'digest'> }

const askedOf = ({ app, row }: Approving): AskedToApprove => ({
  app,
  userId: row.user_id,
  request: `${row.id} ${row.digest}`,
})

export async function passkeyToAsk(
  context: ServerContext,
  approving: Approving,
): Promise<AssertionOptions | null> {
  if (!isCutOff(approving.app)) return null
  return (await walletPasskey.on(context.ports).ask(context, askedOf(approving))) ?? null
}

export async function assertRightPasskey(
  context: ServerContext,
  approving: Approving,
  answer: Assertion,
): Promise<void> {
  requireCutOff(approving.app)
  if (await walletPasskey.on(context.ports).isAnsweredBy(context, askedOf(approving), answer)) return
  throw new LatchkeyError('invalid_credentials', 'This passkey did not approve the request')
}
