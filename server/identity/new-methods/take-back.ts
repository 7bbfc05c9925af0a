/**
 * Links that undo a change of login methods. Each notice about a change contains one, so that a user can undo it
 * without a session or the operator. A link undoes one change, once.
 */

import { createHash, randomBytes } from 'node:crypto'
import { mfaMethodTypes, product } from '@latchkey/protocol'
import * as v from 'valibot'
import type { Notice } from '../../integrations/mail/mail.ts'
import type { ServerContext } from '../../kernel/context.ts'
import { nowSeconds, type Reader, type Trx } from '../../kernel/ports.ts'
import {
  createSettledCheck,
  findContacts,
  type NoticeCall,
  notifyContacts,
  smsFactor,
  storeNoticeFor,
} from '../notices/notices.ts'
import { getContacts } from '../users/users.ts'
import { newMethodTables } from './tables.ts'

/** The minimum lifetime of a link. */
const newMethodLimits = { linkSeconds: 72 * 3_600 } as const

const account = v.object({
  id: v.string(),
  app_id: v.string(),
  user_id: v.string(),
  type: v.string(),
  identifier: v.string(),
  profile: v.string(),
  verified_at: v.number(),
  first_verified_at: v.number(),
  latest_verified_at: v.number(),
})
/** The change to undo: the added account is removed, and the removed row restored. */
const changeSchema = v.variant('kind', [
  v.object({ kind: v.literal('account'), added: v.nullable(v.string()), removed: v.nullable(account) }),
  v.object({ kind: v.literal('factor'), method: v.picklist(mfaMethodTypes) }),
])
export type Change = v.InferOutput<typeof changeSchema>

export type TakeBack = {
  appId: string
  userId: string
  change: Change
  createdAt: number
}

const hashSecret = (secret: string) =>
  createHash('sha256').update(`${product.key}/take-back\n${secret}`).digest('base64url')

/** The path of the undo page. */
export const takeBackPath = '/take-back/{secret}'

/**
 * Notifies the contacts that the user had before the change: by mail, else by SMS, else at the next login. New contacts
 * receive no link, because an attacker could undo the user's defence with it.
 */
export async function notifyOfChange(
  call: NoticeCall,
  context: ServerContext,
  change: Change,
  /** Whether to notify the removed contacts or the remaining ones. */
  which: 'gone' | 'present',
  notice: (atSeconds: number) => Notice,
): Promise<void> {
  const { app, caller } = call
  const now = nowSeconds(context.clock)
  let link: Promise<string> | undefined
  const isTold = await notifyContacts(call, context, {
    notice: notice(now),
    contacts: await findPriorContacts(call, context, change, which),
    isSettled: await createSettledCheck(context.db, {
      userId: caller.userId,
      newMethodHours: app.login.newMethodHours,
      nowSeconds: now,
    }),
    link: () => {
      link ??= createLink(call, context, change)
      return link
    },
  })
  if (isTold || which === 'gone') return
  const accountId = change.kind === 'account' ? change.added : null
  await storeNoticeFor(call, context, { kind: 'method', change: JSON.stringify(change), accountId })
}

async function findPriorContacts(
  { caller }: NoticeCall,
  { db }: ServerContext,
  change: Change,
  which: 'gone' | 'present',
) {
  if (which === 'gone') return change.kind === 'account' && change.removed ? getContacts(change.removed) : []
  const addedSource = change.kind === 'account' ? change.added : change.method === 'sms' ? smsFactor : null
  return (await findContacts(db, caller.userId)).filter(({ source }) => source !== addedSource)
}

/** Creates a link, valid while the changed method is new and for at least three days. */
async function createLink(
  { app, caller }: NoticeCall,
  context: ServerContext,
  change: Change,
): Promise<string> {
  const secret = randomBytes(32).toString('base64url')
  const now = nowSeconds(context.clock)
  const seconds = Math.max(newMethodLimits.linkSeconds, app.login.newMethodHours * 3_600)
  await newMethodTables(context.db)
    .insertInto('take_backs')
    .values({
      secret_hash: hashSecret(secret),
      app_id: app.id,
      user_id: caller.userId,
      change: JSON.stringify(change),
      created_at: now,
      expires_at: now + seconds,
    })
    .execute()
  return context.config.dialogOrigin + takeBackPath.replace('{secret}', secret)
}

/** Returns undefined if the link was used or has expired. */
export async function findTakeBack(
  reader: Reader,
  { clock }: Pick<ServerContext, 'clock'>,
  secret: string,
): Promise<TakeBack | undefined> {
  const row = await newMethodTables(reader)
    .selectFrom('take_backs')
    .selectAll()
    .where('secret_hash', '=', hashSecret(secret))
    .where('expires_at', '>', nowSeconds(clock))
    .executeTakeFirst()
  return row && toTakeBack(row)
}

/** Deletes and returns the row, so that only the first of several concurrent calls succeeds. */
export async function useTakeBack(
  trx: Trx,
  { clock }: Pick<ServerContext, 'clock'>,
  secret: string,
): Promise<TakeBack | undefined> {
  const row = await newMethodTables(trx)
    .deleteFrom('take_backs')
    .where('secret_hash', '=', hashSecret(secret))
    .where('expires_at', '>', nowSeconds(clock))
    .returning(['app_id', 'user_id', 'change', 'created_at'])
    .executeTakeFirst()
  return row && toTakeBack(row)
}

type TakeBackRow = {
  app_id: string
  user_id: string
  change: string
  created_at: number
}
const toTakeBack = ({ app_id, user_id, change, created_at }: TakeBackRow): TakeBack => ({
  appId: app_id,
  userId: user_id,
  change: readChange(change),
  createdAt: created_at,
})

/** Parses a stored change. */
export const readChange = (change: string): Change => v.parse(changeSchema, JSON.parse(change))
