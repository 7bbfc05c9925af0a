/**
 * Imports a wallet in an app that requires a choice of the recovery method. The user enters the key last, so that it is
 * in memory only as long as it is needed.
 */
import { LatchkeyError, type WalletAccount } from '@latchkey/protocol'
import { rejectedError } from '../../approval/rejection.ts'
import type { CapabilityPorts } from '../../contract/capability.ts'
import { done, type FlowHandle, failed, type RunningFlow } from '../../flow/flow.ts'
import { requireUser } from '../../host/require-user.ts'
import { createImportCall, type Import, refuseSecond } from './import-wallet.ts'

export function createChosenImportFlow(
  ports: CapabilityPorts,
  { privateKey }: Pick<Import, 'privateKey'>,
  handle: FlowHandle<WalletAccount>,
): RunningFlow<WalletAccount> {
  let imported: WalletAccount | undefined

  function onImported(account: WalletAccount) {
    imported = account
  }

  async function run() {
    refuseSecond(await requireUser(ports, handle))
    await ports.chooseRecovery(handle, async (own) => {
      try {
        await handle.interrupt(createImportCall(ports, { privateKey, own, onImported }))
      } catch (error) {
        if (isFinal(error)) handle.end(failed(error))
        throw error
      }
    })
    handle.end()
  }

  return {
    kind: 'import',
    run,
    onClose: () => (imported ? done(imported) : failed(rejectedError())),
  }
}

/** A failed import can be tried again with the same choice. If the user leaves, the import ends. */
const isFinal = (error: unknown): error is LatchkeyError =>
  error instanceof LatchkeyError && error.code !== 'unknown_embedded_wallet_error'
