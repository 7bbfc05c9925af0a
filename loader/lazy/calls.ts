/** What the calls of a handle that few pages make ask of the dialog, and what becomes of its answers. */
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
import { connectionOf } from './provider/connected.ts'
import { linkedProviderOf } from './provider/linked.ts'
import { providerOf } from './provider/provider.ts'
import { solanaProviderOf } from './solana/provider.ts'

const messages = {
  ...linkingMessages(),
  ...mfaMessages(),
  ...accountMessages(),
  ...walletMessages(),
  ...signingMessages(),
} satisfies Messages<LazyCalls>

/** Every name of a lazy call that the first file has is a message: they are built together. */
const messageOf = (name: string): AnyMessage => messages[name as keyof LazyCalls]

/** What a page gives is as it is: the dialog parses it. What can not even be asked has a code all the same. */
export function callOf(name: string, args: readonly unknown[]): CapabilityCall | Promise<CapabilityCall> {
  try {
    return withPicture(messageOf(name).ask(...(args as never[])))
  } catch (error) {
    throw toLatchkeyError(error, 'invalid_data', `${name} takes no such arguments`)
  }
}

export const readAnswer = (name: string, answer: unknown, page: PageWithProvider): unknown =>
  messageOf(name).read(answer, {
    // One that was asked for by its address is announced where this call says so; the answer does not.
    ethereum: (state) =>
      state.linked ? linkedProviderOf(page, state, state.linked) : providerOf(page, state),
    solana: (wallet) => solanaProviderOf(page, wallet),
    connected: (wallet) => connectionOf(page, wallet),
  })
