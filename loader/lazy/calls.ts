/** The calls that few pages make: their dialog requests, and how their responses are read. */
import { toLatchkeyError } from '@latchkey/protocol'
import { accountMessages } from '../calls/accounts.ts'
import type { LazyCalls } from '../calls/latchkey.ts'
import { linkingMessages } from '../calls/linking.ts'
import { mfaMessages } from '../calls/mfa.ts'
import type { AnyMessage, CapabilityCall, Messages } from '../calls/row.ts'
import { signingMessages } from '../calls/signing.ts'
import { walletMessages } from '../calls/wallets.ts'
import type { PageWithProvider } from '../client/page.ts'
import { withPicture } from './pictures.ts'
import { createConnection } from './provider/connected.ts'
import { getLinkedProvider } from './provider/linked.ts'
import { getProvider } from './provider/provider.ts'
import { getSolanaProvider } from './solana/provider.ts'

const messages = {
  ...linkingMessages(),
  ...mfaMessages(),
  ...accountMessages(),
  ...walletMessages(),
  ...signingMessages(),
} satisfies Messages<LazyCalls>

/** Returns the message of a lazy call. Both files are built together, so every name exists. */
const messageByName = (name: string): AnyMessage => messages[name as keyof LazyCalls]

/**
 * Creates the dialog request of a call. The dialog validates the data; arguments that cannot be read throw
 * `invalid_data`.
 */
export function createCall(name: string, args: readonly unknown[]): CapabilityCall | Promise<CapabilityCall> {
  try {
    return withPicture(messageByName(name).toCall(...(args as never[])))
  } catch (error) {
    throw toLatchkeyError(error, 'invalid_data', `Invalid arguments for ${name}`)
  }
}

export const readAnswer = (name: string, answer: unknown, page: PageWithProvider): unknown =>
  messageByName(name).toResult(answer, {
    // The state of a linked wallet says whether this call announces it; the provider does not.
    ethereum: (state) =>
      state.linked ? getLinkedProvider(page, state, state.linked) : getProvider(page, state),
    solana: (wallet) => getSolanaProvider(page, wallet),
    connected: (wallet) => createConnection(page, wallet),
  })
