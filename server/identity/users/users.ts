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
  canLinkType,
  createExpectedUser,
  findAccountContacts,
  findAccountOwner,
  findAccountWithOwner,
  findOrCreateUser,
  findOwner,
  findOwnIdentifiers,
  findOwnProfile,
  findProfile,
  getContacts,
  isOnlyAccount,
  type LinkedRow,
  type LinkResult,
  linkAccount,
  lockAccount,
  lockUser,
  type NamedAccount,
  type ProvenAccount,
  replaceAccount,
  restoreAccount,
  setAccountProfile,
  type UnlinkRefusal,
  type UnlinkResult,
  unlinkAccount,
  unlinkRefusal,
} from './accounts.ts'
export { findExpectedAccounts } from './expected-accounts.ts'
export {
  describeMissingUser,
  type FoundUser,
  findOneUser,
  findUsers,
  parseUserReference,
} from './find-users.ts'
export {
  fillEmptyFields,
  findMissingMetadata,
  findOwnersByAccount,
  formatName,
  insertExpectedUsers,
  type NewExpectedUser,
} from './import-users.ts'
export {
  findAccountsByUser,
  findFactorsByUser,
  findLivingUser,
  findUsersByPrefix,
  findWalletsByUser,
  readUsersBatch,
  readUsersPage,
  type UserPosition,
} from './list-users.ts'
export {
  findOwnersByExternalId,
  readExternalIds,
  readMetadataByUser,
  readTokenMetadata,
  setExternalId,
  setMetadata,
} from './metadata.ts'
export { findUserRecord, requireUser } from './record.ts'
export { findAccounts, findBlock, firstAccountId, isUser, lockAccounts, setBlock } from './store.ts'
export { findWalletName, toWalletName } from './wallet-accounts.ts'

/** Returns the user's e-mail address or phone number, for display. */
export async function getDisplayName(
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
