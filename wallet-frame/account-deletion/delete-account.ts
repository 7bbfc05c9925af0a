/**
 * Deletes a user: the server deletes its shares first, then this device its own. In the reverse order, a
 * refusal by the server would cost the user the device share.
 */
import { accountDeletionRoutes } from '@latchkey/protocol/api'
import { databaseName } from '../device-database.ts'
import type { StepCall, WalletPorts } from '../shares/ports.ts'
import { findSubject } from '../shares/token-subject.ts'

export async function deleteAccount(
  { appId, api, vault }: WalletPorts,
  call: StepCall,
  forget: (name: string) => Promise<void> = forgetDatabase,
): Promise<Record<string, never>> {
  await call.withFactor((factor) => api(accountDeletionRoutes.deleteAccount, call, factor))
  // An open operation could still write a share.
  vault.end()
  const userId = findSubject(call.token)
  if (userId !== undefined) await forget(databaseName({ appId, userId }))
  return {}
}

/**
 * Deletes the database. Ignores failures, because a share that remains on the device opens nothing any more.
 */
const forgetDatabase = (name: string) =>
  new Promise<void>((resolve) => {
    try {
      const request = indexedDB.deleteDatabase(name)
      request.onsuccess = () => resolve()
      request.onerror = () => resolve()
      // Another tab still uses the database; the browser deletes it when that tab closes it.
      request.onblocked = () => resolve()
    } catch {
      resolve()
    }
  })
