/** Removes a second factor without the user's session: by the operator or by a take-back link. */
import type { MfaMethodType } from '@latchkey/protocol'
import { findOwnIdentifiers } from '../../identity/users/users.ts'
import type { Trx } from '../../kernel/ports.ts'
import { isEnrolled, setEnrolled } from '../../login/passkey/passkey.ts'
import { removeMethod } from './method-store.ts'

type Owner = { appId: string; userId: string }

/** Removes a second factor. The caller has locked the user. */
export async function endMethod(trx: Trx, owner: Owner, method: MfaMethodType): Promise<void> {
  await removeMethod(trx, owner.userId, method)
  if (method !== 'passkey') return
  for (const id of await findOwnIdentifiers(trx, owner, 'passkey')) await setEnrolled(trx, owner, id, false)
}

/** Removes the passkey method after the last passkey that verifies was deleted. */
export async function endPasskeyMethodIfUnused(trx: Trx, owner: Owner): Promise<void> {
  for (const id of await findOwnIdentifiers(trx, owner, 'passkey')) {
    if ((await isEnrolled(trx, owner, id)) === true) return
  }
  await removeMethod(trx, owner.userId, 'passkey')
}
