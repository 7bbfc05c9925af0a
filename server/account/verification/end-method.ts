/** How a method ends without a session of its user: by its operator, or by a link of theirs. */
import type { MfaMethodType } from '@latchkey/protocol'
import { ownAccountsOf } from '../../identity/users/users.ts'
import type { Trx } from '../../kernel/ports.ts'
import { isEnrolled, setEnrolled } from '../../login/passkey/passkey.ts'
import { removeMethod } from './method-store.ts'

type Owner = { appId: string; userId: string }

/** Under the user's hold. */
export async function endMethod(trx: Trx, owner: Owner, method: MfaMethodType): Promise<void> {
  await removeMethod(trx, owner.userId, method)
  if (method !== 'passkey') return
  for (const id of await ownAccountsOf(trx, owner, 'passkey')) await setEnrolled(trx, owner, id, false)
}

/** Once a passkey is gone: the method ends with the last one that verifies. */
export async function endPasskeysWithNone(trx: Trx, owner: Owner): Promise<void> {
  for (const id of await ownAccountsOf(trx, owner, 'passkey')) {
    if ((await isEnrolled(trx, owner, id)) === true) return
  }
  await removeMethod(trx, owner.userId, 'passkey')
}
