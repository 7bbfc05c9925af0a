import { findEmbeddedWallet, type UserRecord } from '@latchkey/protocol'
import type { DialogContext } from '../../app/screen.ts'
import type { CapabilityPorts } from '../../contract/capability.ts'
import { createLastEmail } from '../../session/last-email.ts'
import type { ConfirmedRequest } from '../../wallet/confirmed.ts'
import { createWalletCalls } from '../../wallet/wallet-obstacles.ts'

/** Returns the address that approves the deletion, or null for a user without an Ethereum wallet. */
export const getApprovingAddress = (user: UserRecord): string | null =>
  findEmbeddedWallet(user)?.address ?? null

/** Deletes the account with the user's approval. Asks for a second factor if the user has one. */
export async function deleteAccount(
  { wallet, store, settings, remedies }: CapabilityPorts,
  handle: DialogContext['handle'],
  confirmation: ConfirmedRequest,
): Promise<void> {
  const { signal } = handle
  await createWalletCalls(remedies)({
    event: 'account:delete',
    card: handle,
    async call(factor) {
      const operation = await wallet.begin({ signal })
      try {
        const options = { signal, confirmation }
        const { data } = await wallet.requestToken(operation, 'delete-account', null, options)
        await operation.channel.call('account:delete', { ...data, ...factor })
      } finally {
        wallet.end(operation)
      }
    },
  })
  createLastEmail(store, settings().app.id).forget()
}
