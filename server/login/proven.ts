/** Uses a proven account: logs in, links it to the logged-in user, or unlinks it. */
import { LatchkeyError, type LinkedAccountType } from '@latchkey/protocol'
import type { AuthAnswer } from '@latchkey/protocol/api'
import type { VaultKey } from '@latchkey/protocol/wallet'
import type { App } from '../identity/apps/apps.ts'
import { recordAudit } from '../identity/audit/audit.ts'
import { type CodeKey, rememberBrowser, wrongCode } from '../identity/codes/codes.ts'
import { findVisibleNotices } from '../identity/notices/notices.ts'
import {
  deriveDeviceSecret,
  type Grant,
  hasUsedBrowser,
  type LoginAccount,
  renderGrantWithSession,
  requireLivingSession,
  startSession,
} from '../identity/sessions/sessions.ts'
import {
  type AccountRefusal,
  accountRefusal,
  findAccountOwner,
  findBlock,
  findOrCreateUser,
  type LinkResult,
  linkAccount,
  type NamedAccount,
  type ProvenAccount,
  replaceAccount,
  requireUser,
  type UnlinkRefusal,
  type UnlinkResult,
  unlinkAccount,
  unlinkRefusal,
} from '../identity/users/users.ts'
import type { DialogToken, ServerContext, VerifiedToken } from '../kernel/context.ts'
import type { Call, ProvenBrowser } from '../kernel/http/endpoint.ts'
import { matchesStep } from '../kernel/http/proof/statement.ts'
import type { Trx } from '../kernel/ports.ts'
import { createLoginWalletToken } from '../wallet/wallets/wallets.ts'
import { countLogin, type ProvenMethod } from './counted.ts'
import { loginHook } from './hook/hook.ts'
import { mailNewDevice } from './new-device/new-device.ts'

export type ProvenLogin = {
  method: ProvenMethod
  account: ProvenAccount
  /** The key of the one-time code, if the account was proven by one. */
  key?: CodeKey
  /** The hash of the session at the OpenID provider. */
  providerSession?: string | undefined
}
/** An account that is proven by a one-time code. */
export type ProvenByCode = ProvenLogin & { key: CodeKey }

/** The stored outcome of the call. A wrong guess stays charged even if the call is repeated. */
export type LoginOutcome = LoggedIn | { type: 'wrong_code' } | Refused | Denied
export type LoggedIn = {
  type: 'in'
  userId: string
  isNewUser: boolean
  grant: Grant
}
export type Refused = { type: 'refused'; code: AccountRefusal }
/** The hook `login.before` denied the login. */
export type Denied = { type: 'denied'; reason: string | null }

type Visitor = {
  appId: string
  userId: string
  isNewUser: boolean
  method: ProvenLogin['method']
  account: LoginAccount
}

export async function loginWith(
  trx: Trx,
  context: ServerContext,
  app: App,
  proven: ProvenLogin,
  browser: ProvenBrowser,
): Promise<LoggedIn | Refused | Denied> {
  const { method, account } = proven
  const findUser = () => findAccountOwner(trx, app.id, account)
  const denial = await loginHook.get(context.ports)(trx, context, {
    appId: app.id,
    method,
    account,
    findUser,
  })
  if (denial) return { type: 'denied', ...denial }
  const user = await findOrCreateUser(trx, context, app, account)
  if (user.type === 'refused') return user
  const loginAccount = { ...user.account, providerSession: proven.providerSession }
  const visitor = { appId: app.id, ...user, method, account: loginAccount }
  const loggedIn = await letIn(trx, context, visitor, browser)
  if (proven.key && loggedIn.type === 'in') await rememberBrowser(trx, context, proven.key)
  return loggedIn
}

/** Starts a session for a known user, unless an operator blocked them. */
export async function letIn(
  trx: Trx,
  context: ServerContext,
  { appId, userId, isNewUser, method, account }: Visitor,
  browser: ProvenBrowser,
): Promise<LoggedIn | Refused> {
  // The proof locked the account, so a concurrent block either shows here or ends the new session.
  // Operators can block a user before the first login.
  if ((await findBlock(trx, userId)) !== null) {
    return { type: 'refused', code: 'allowlist_rejected' }
  }
  const isNewDevice = !isNewUser && !(await hasUsedBrowser(trx, { userId, key: browser.key }))
  const grant = await startSession(trx, context, { appId, userId }, browser, account)
  if (isNewDevice) mailNewDevice(trx, context, { appId, userId }, browser)
  await recordAudit(trx, context.clock, {
    event: 'session.started',
    appId,
    userId,
    sessionId: grant.sessionId,
    details: { method },
  })
  countLogin(trx, method, isNewUser)
  return { type: 'in', userId, isNewUser, grant }
}

export type LinkOutcome = LinkResult | { type: 'wrong_code' } | Refused

/**
 * Requires that the linking session is alive within the linking transaction. It may have ended while a third party was
 * called, and the login method would outlast it.
 */
export const requireLinkingSession = (trx: Trx, context: ServerContext, caller: VerifiedToken) =>
  requireLivingSession(trx, context, caller.sessionId)

export async function linkWith(
  trx: Trx,
  context: ServerContext,
  caller: VerifiedToken,
  { key, account }: ProvenLogin,
): Promise<LinkResult | Refused> {
  const linked = await linkAccount(trx, context, caller, account)
  if (linked.type === 'linked' && key) await rememberBrowser(trx, context, key)
  return linked
}

export type ReplaceOutcome = LinkOutcome | { type: 'not_there'; code: UnlinkRefusal }

export async function replaceWith(
  trx: Trx,
  context: ServerContext,
  caller: VerifiedToken,
  { key, account }: ProvenByCode,
  replaced: string,
): Promise<ReplaceOutcome> {
  const outcome = await replaceAccount(trx, context, caller, { account, replaced })
  if (outcome.type === 'linked') await rememberBrowser(trx, context, key)
  return outcome
}

/** Unlinks an account. No proof is needed, but the session must be alive in the transaction. */
export async function unlink(
  trx: Trx,
  context: ServerContext,
  caller: VerifiedToken,
  account: NamedAccount,
): Promise<UnlinkResult> {
  await requireLinkingSession(trx, context, caller)
  return unlinkAccount(trx, context, caller, account)
}

export async function loginAnswer(
  outcome: LoginOutcome,
  call: LoginCall & { app: App },
  context: ServerContext,
  type: LinkedAccountType,
): Promise<AuthAnswer> {
  if (outcome.type === 'wrong_code') throw wrongCode()
  if (outcome.type === 'denied') throw loginDenied(outcome.reason)
  if (outcome.type === 'refused') throw accountRefusal(call.app, outcome.code, type)
  return authAnswer(call, context, outcome.grant, outcome.isNewUser)
}

const loginDenied = (reason: string | null) =>
  new LatchkeyError('login_denied', 'This app denied the login', { details: { reason } })

export function linkAnswer(
  outcome: LinkOutcome,
  { app, caller }: { app: App; caller: DialogToken },
  context: ServerContext,
  type: LinkedAccountType,
) {
  if (outcome.type === 'wrong_code') throw wrongCode()
  if (outcome.type === 'refused') throw accountRefusal(app, outcome.code, type)
  return requireUser(context.db, caller.appId, caller.userId)
}

export function replaceAnswer(
  outcome: ReplaceOutcome,
  call: { app: App; caller: DialogToken },
  context: ServerContext,
  type: LinkedAccountType,
) {
  if (outcome.type === 'not_there') throw unlinkRefusal(outcome.code)
  return linkAnswer(outcome, call, context, type)
}

export function unlinkAnswer(
  outcome: UnlinkResult,
  { caller }: { caller: DialogToken },
  { db }: ServerContext,
) {
  if (outcome.type === 'refused') throw unlinkRefusal(outcome.code)
  return requireUser(db, caller.appId, caller.userId)
}

type LoginCall = Pick<Call, 'app' | 'c' | 'proof' | 'statement' | 'language'> & {
  body: { vault?: VaultKey }
}

/** Renders a login response: the user, the session's tokens, and the first step of a waiting vault. */
export async function authAnswer(
  call: LoginCall,
  context: ServerContext,
  grant: Grant,
  isNewUser: boolean,
): Promise<AuthAnswer> {
  const { session, answer: granted } = await renderGrantWithSession(call, context, grant)
  const owner = { app: call.app, userId: session.user_id, sessionId: session.id }
  const notices = isNewUser ? [] : await findVisibleNotices(context.db, context, owner)
  const answer = { ...granted, ...(notices.length > 0 && { hasNotices: true as const }) }
  if (session.device === null) {
    return { ...answer, isNewUser, deviceSecret: deriveDeviceSecret(context, session) }
  }
  const { vault } = call.body
  const statement = call.statement()
  const isStated = vault && statement?.device === session.device && matchesStep(statement, vault)
  const step = isStated && { ...vault, device: session.device }
  const walletToken = step && (await createLoginWalletToken(context, call, session.id, answer.user, step))
  return { ...answer, isNewUser, ...(walletToken && { walletToken }) }
}
