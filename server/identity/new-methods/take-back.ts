/**
 * Links that take a change of somebody's methods back. What tells of the change has one: who is told of what they did
 * not do needs no session for it, and no operator. It is worth one change, once.
 */

import { createHash, randomBytes } from 'node:crypto'
import { mfaMethodTypes, product } from '@latchkey/protocol'
import * as v from 'valibot'
import type { Notice } from '../../integrations/mail/mail.ts'
import type { ServerContext } from '../../kernel/context.ts'
import { nowSeconds, type Reader, type Trx } from '../../kernel/ports.ts'
import {
  contactsOf,
  keepFor,
  settledContacts,
  smsFactor,
  type TellingCall,
  tellAt,
} from '../notices/notices.ts'
import { contactsIn } from '../users/users.ts'
import { newMethodTables } from './tables.ts'

/** How long a link takes back what it came with, at least. */
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
/** What came is taken away, and what went comes back as it was. */
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

const hashOf = (secret: string) =>
  createHash('sha256').update(`${product.key}/take-back\n${secret}`).digest('base64url')

/** The address of its page. */
export const takeBackPath = '/take-back/{secret}'

/**
 * Tells the user of a change at what they had before it: by mail, else by SMS, else at their next login. The link goes to
 * nothing that is new itself: whoever linked that one could take back what its user did against them.
 */
export async function tellOfChange(
  call: TellingCall,
  context: ServerContext,
  change: Change,
  /** Those that the change took away, or those that it left. */
  which: 'gone' | 'present',
  notice: (atSeconds: number) => Notice,
): Promise<void> {
  const { app, caller } = call
  const now = nowSeconds(context.clock)
  let made: Promise<string> | undefined
  const isTold = await tellAt(call, context, {
    notice: notice(now),
    contacts: await contactsBefore(call, context, change, which),
    isSettled: await settledContacts(context.db, {
      userId: caller.userId,
      newMethodHours: app.login.newMethodHours,
      nowSeconds: now,
    }),
    link: () => {
      made ??= newLink(call, context, change)
      return made
    },
  })
  if (isTold || which === 'gone') return
  const accountId = change.kind === 'account' ? change.added : null
  await keepFor(call, context, { kind: 'method', change: JSON.stringify(change), accountId })
}

async function contactsBefore(
  { caller }: TellingCall,
  { db }: ServerContext,
  change: Change,
  which: 'gone' | 'present',
) {
  if (which === 'gone') return change.kind === 'account' && change.removed ? contactsIn(change.removed) : []
  const came = change.kind === 'account' ? change.added : change.method === 'sms' ? smsFactor : null
  return (await contactsOf(db, caller.userId)).filter(({ source }) => source !== came)
}

/** It holds as long as what it undoes is new, and three days at least. */
async function newLink(
  { app, caller }: TellingCall,
  context: ServerContext,
  change: Change,
): Promise<string> {
  const secret = randomBytes(32).toString('base64url')
  const now = nowSeconds(context.clock)
  const seconds = Math.max(newMethodLimits.linkSeconds, app.login.newMethodHours * 3_600)
  await newMethodTables(context.db)
    .insertInto('take_backs')
    .values({
      secret_hash: hashOf(secret),
      app_id: app.id,
      user_id: caller.userId,
      change: JSON.stringify(change),
      created_at: now,
      expires_at: now + seconds,
    })
    .execute()
  return context.config.dialogOrigin + takeBackPath.replace('{secret}', secret)
}

/** Undefined once it was used, or is over. */
export async function findTakeBack(
  reader: Reader,
  { clock }: Pick<ServerContext, 'clock'>,
  secret: string,
): Promise<TakeBack | undefined> {
  const row = await newMethodTables(reader)
    .selectFrom('take_backs')
    .selectAll()
    .where('secret_hash', '=', hashOf(secret))
    .where('expires_at', '>', nowSeconds(clock))
    .executeTakeFirst()
  return row && read(row)
}

/** Deletes the row, so that only the first of several calls with the same secret gets it. */
export async function useTakeBack(
  trx: Trx,
  { clock }: Pick<ServerContext, 'clock'>,
  secret: string,
): Promise<TakeBack | undefined> {
  const row = await newMethodTables(trx)
    .deleteFrom('take_backs')
    .where('secret_hash', '=', hashOf(secret))
    .where('expires_at', '>', nowSeconds(clock))
    .returning(['app_id', 'user_id', 'change', 'created_at'])
    .executeTakeFirst()
  return row && read(row)
}

type Kept = {
  app_id: string
  user_id: string
  change: string
  created_at: number
}
const read = ({ app_id, user_id, change, created_at }: Kept): TakeBack => ({
  appId: app_id,
  userId: user_id,
  change: readChange(change),
  createdAt: created_at,
})

/** Reads a stored change. */
export const readChange = (change: string): Change => v.parse(changeSchema, JSON.parse(change))
