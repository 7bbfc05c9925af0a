/**
 * Links that take a change of somebody's methods back. The mail about the change has one: who is told of what they did
 * not do needs no session for it, and no operator. It is worth one change, once.
 */
import { createHash, randomBytes } from 'node:crypto'
import { mfaMethodTypes, product } from '@latchkey/protocol'
import * as v from 'valibot'
import type { ServerContext } from '../context.ts'
import { newMethodLimits } from '../limits.ts'
import { type Notice, sendNotice, type Telling } from '../mail/mail.ts'
import { nowSeconds, type Reader, type Trx } from '../ports.ts'
import { type MailAddress, mailAddressesIn, mailAddressesOf } from '../users/users.ts'
import { userSince } from './store.ts'
import { newMethodTables } from './tables.ts'

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
  readonly appId: string
  readonly userId: string
  readonly change: Change
  readonly createdAt: number
}

const hashOf = (secret: string) =>
  createHash('sha256').update(`${product.key}/take-back\n${secret}`).digest('base64url')

/** The address of its page. */
export const takeBackPath = '/take-back/{secret}'

type ChangingCall = Omit<Telling, 'app'> & {
  readonly app: Telling['app'] & { readonly id: string; readonly login: { readonly newMethodHours: number } }
  readonly caller: { readonly userId: string }
}

/**
 * Tells the user of a change at the addresses that they had before it. The link goes to none that is new itself: whoever
 * linked that one could take back what its user did against them.
 */
export async function tellOfChange(
  call: ChangingCall,
  context: ServerContext,
  change: Change,
  /** Those that the change took away, or those that it left. */
  which: 'gone' | 'present',
  notice: (atSeconds: number) => Notice,
): Promise<void> {
  const { addresses, mayTakeBack } = await addressesBefore(call, context, change, which)
  const trusted = addresses.filter(mayTakeBack)
  const others = addresses.filter((each) => !mayTakeBack(each))
  const said = notice(nowSeconds(context.clock))
  const link = trusted.length === 0 ? undefined : await newLink(call, context, change)
  const send = (to: readonly MailAddress[], link: string | undefined) =>
    sendNotice(context, [...new Set(to.map(({ address }) => address))], call, said, link)
  await send(trusted, link)
  await send(others, undefined)
}

async function addressesBefore(
  { app, caller }: ChangingCall,
  { db, clock }: ServerContext,
  change: Change,
  which: 'gone' | 'present',
) {
  const { added, removed } = change.kind === 'account' ? change : { added: null, removed: null }
  const addresses =
    which === 'gone'
      ? removed
        ? mailAddressesIn(removed)
        : []
      : (await mailAddressesOf(db, caller.userId)).filter(({ accountId }) => accountId !== added)
  const first = await userSince(db, caller.userId)
  const settledAt = nowSeconds(clock) - app.login.newMethodHours * 3_600
  return {
    addresses,
    mayTakeBack: ({ linkedAt }: MailAddress) => linkedAt === first || linkedAt <= settledAt,
  }
}

/** It holds as long as what it undoes is new, and three days at least. */
async function newLink(
  { app, caller }: ChangingCall,
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

/** For the one that runs it first. */
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
  readonly app_id: string
  readonly user_id: string
  readonly change: string
  readonly created_at: number
}
const read = ({ app_id, user_id, change, created_at }: Kept): TakeBack => ({
  appId: app_id,
  userId: user_id,
  change: v.parse(changeSchema, JSON.parse(change)),
  createdAt: created_at,
})
