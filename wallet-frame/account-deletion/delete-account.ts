/**
 * The end of a user: the server destroys its shares, and then this device's go too. In the other order a server that
 * says no would leave the user without the device's.
 */
import { accountDeletionRoutes } from '@latchkey/protocol/api'
import { databaseName } from '../device-database.ts'
import type { StepCall, WalletPorts } from '../shares/ports.ts'
import { subjectOf } from '../shares/token-subject.ts'

export async function deleteAccount(
  { appId, api, vault }: WalletPorts,
  call: StepCall,
  forget: (name: string) => Promise<void> = forgetDatabase,
): Promise<Record<string, never>> {
  await call.withFactor((factor) => api(accountDeletionRoutes.deleteAccount, call, factor))
  // An operation that is open could still write.
  vault.end()
  const userId = subjectOf(call.token)
  if (userId !== undefined) await forget(databaseName({ appId, userId }))
  return {}
}

/** A share that can not be taken from here opens nothing any more: that is no reason to say that nothing was deleted. */
const forgetDatabase = (name: string) =>
  new Promise<void>((resolve) => {
    try {
      const request = indexedDB.deleteDatabase(name)
      request.onsuccess = () => resolve()
      request.onerror = () => resolve()
      // Another tab uses it: it goes when that one is done.
      request.onblocked = () => resolve()
    } catch {
      resolve()
    }
  })
