import type { UserRecord } from '@latchkey/protocol'
import type { DialogToken, ServerContext } from '../../kernel/context.ts'
import { nowSeconds, type Reader } from '../../kernel/ports.ts'
import { recordAudit } from '../audit/audit.ts'
import { requireUser } from './record.ts'
import * as store from './store.ts'

export {
  type AccountRefusal,
  accountById,
  accountRefusal,
  type Contact,
  contactsIn,
  contactsOfAccounts,
  describeAccount,
  findOrCreateUser,
  findOwner,
  hasRoomFor,
  holdAccount,
  holdUser,
  isOnlyAccount,
  knownAccount,
  type Linked,
  type LinkedRow,
  linkAccount,
  type NamedAccount,
  ownAccount,
  ownAccountsOf,
  ownerOfAccount,
  type ProvenAccount,
  replaceAccount,
  restoreAccount,
  type Unlinked,
  type UnlinkRefusal,
  unlinkAccount,
  unlinkRefusal,
} from './accounts.ts'
export {
  type FoundUser,
  findOneUser,
  findUsers,
  missingUser,
  parseUserReference,
} from './find-users.ts'
export { requireUser } from './record.ts'
export { accountsOfUser, firstAccountId, isUserOf } from './store.ts'
export { walletNamed, walletNamedAmong } from './wallet-accounts.ts'

/** What a user knows themselves by: the address or the number that they log in with. */
export async function nameOfUser(
  reader: Reader,
  { appId, userId }: { appId: string; userId: string },
): Promise<string | undefined> {
  const { linkedAccounts } = await requireUser(reader, appId, userId)
  for (const account of linkedAccounts) {
    if (account.type === 'email') return account.address
    if (account.type === 'phone') return account.phoneNumber
  }
  return undefined
}

export async function acceptTerms(context: ServerContext, caller: DialogToken): Promise<UserRecord> {
  const { appId, userId, sessionId } = caller
  await context.transaction(async (trx) => {
    if (!(await store.acceptTerms(trx, userId, nowSeconds(context.clock)))) return
    await recordAudit(trx, context.clock, {
      event: 'user.accepted_terms',
      appId,
      userId,
      sessionId,
      details: {},
    })
  })
  return requireUser(context.db, appId, userId)
}
