/** Methods where no session of their user is: how one ends by its operator or a link, and a code of an authenticator app. */
import type { MfaMethodType } from '@latchkey/protocol'
import { isEnrolled, setEnrolled } from '../login/passkey/passkey.ts'
import type { Reader, Trx } from '../ports.ts'
import { ownAccountsOf } from '../users/users.ts'
import { findMethod, removeMethod } from './store.ts'

export { useTotpCode } from './totp/check-code.ts'

type Owner = { readonly appId: string; readonly userId: string }

/** Under the user's hold. */
export async function endMethod(trx: Trx, owner: Owner, method: MfaMethodType): Promise<void> {
  await removeMethod(trx, owner.userId, method)
  if (method !== 'passkey') return
  for (const id of await ownAccountsOf(trx, owner, 'passkey')) await setEnrolled(trx, owner, id, false)
}

/** Since when an authenticator app verifies this user; undefined where none does. */
export async function totpSince(reader: Reader, userId: string): Promise<number | undefined> {
  const own = await findMethod(reader, userId, 'totp')
  return own?.status === 'enrolled' && own.enrolled_at !== null
    ? Math.max(own.enrolled_at, own.changed_at ?? 0)
    : undefined
}

/** Once a passkey is gone: the method ends with the last one that verifies. */
export async function endPasskeysWithNone(trx: Trx, owner: Owner): Promise<void> {
  for (const id of await ownAccountsOf(trx, owner, 'passkey')) {
    if ((await isEnrolled(trx, owner, id)) === true) return
  }
  await removeMethod(trx, owner.userId, 'passkey')
}
