/**
 * Imports a wallet in an app that requires a choice of the recovery method. The user enters the key last, so that it is
 * in memory only as long as it is needed.
 */
import { LatchkeyError, type WalletAccount } from '@latchkey/protocol'
import { createCall } from '../../app/screen-stack.ts'
import { rejectedError } from '../../approval/rejection.ts'
import type { CapabilityPorts } from '../../contract/capability.ts'
import { done, type Flow, failed } from '../../flow/flow.ts'
import { requireUser } from '../../host/require-user.ts'
import { createImportCall, type Import, refuseSecond } from './import-wallet.ts'

export function createChosenImportCall(
  ports: CapabilityPorts,
  { privateKey }: Pick<Import, 'privateKey'>,
): Flow<WalletAccount> {
  let imported: WalletAccount | undefined

  const onImported = (account: WalletAccount) => {
    imported = account
  }
  const onClose = () => (imported ? done(imported) : failed(rejectedError()))
  return createCall<WalletAccount>(
    ports,
    { kind: 'import', onClose },
    async ({ card, interrupt, signal }) => {
      refuseSecond(await requireUser(ports, { signal }))
      const failure = Promise.withResolvers<never>()
      const choice = ports.chooseRecovery(card, async (own) => {
        try {
          await interrupt(createImportCall(ports, { privateKey, own, onImported }))
        } catch (error) {
          if (isFinal(error)) failure.reject(error)
          throw error
        }
      })
      await Promise.race([choice, failure.promise])
      if (!imported) throw rejectedError()
      return imported
    },
  )
}

/** A failed import can be tried again with the same choice. If the user leaves, the import ends. */
const isFinal = (error: unknown) =>
  error instanceof LatchkeyError && error.code !== 'unknown_embedded_wallet_error'
