/**
 * Signs for the Farcaster account that approved the signer. Nothing is shown: the user has allowed this app to post, and
 * the wallet signs nothing else with this key. Obstacles are still overcome: a missing share, a second factor.
 */

import { createCall } from '../../app/screen-stack.ts'
import { isRefusal, rejectedError, unableToSign } from '../../approval/rejection.ts'
import type { CapabilityPorts } from '../../contract/capability.ts'
import { type Flow, failed } from '../../flow/flow.ts'
import { requireUser } from '../../host/require-user.ts'
import { createWalletCalls } from '../../wallet/wallet-obstacles.ts'
import { requireAccounts } from './accounts.ts'
import { signForFarcaster } from './wallet-calls.ts'

export type SignedMessage = { signature: string }

export const createMessageCall = (ports: CapabilityPorts, hash: string): Flow<SignedMessage> =>
  createCall<SignedMessage>(
    ports,
    { kind: 'approval', onClose: () => failed(rejectedError()) },
    async (card) => {
      const { signal } = card
      const { wallet: account, fid } = requireAccounts(await requireUser(ports, card))
      try {
        const { signature } = await createWalletCalls(ports.remedies)({
          event: 'farcaster:sign',
          account,
          card,
          call: (verification) =>
            signForFarcaster(ports.wallet, account.address, { hash, fid }, { signal, verification }),
        })
        return { signature }
      } catch (error) {
        throw isRefusal(error) ? error : unableToSign(error, 'The message could not be signed')
      }
    },
  )
