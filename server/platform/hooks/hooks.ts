/** The questions of each kind of hook, the answers that it accepts, and the outcome without an answer. */
import { LatchkeyError } from '@latchkey/protocol'
import * as v from 'valibot'
import { recordAudit } from '../../identity/audit/audit.ts'
import type { HookClaims, SessionClaims } from '../../identity/sessions/sessions.ts'
import type { OutgoingMessage } from '../../integrations/mail/mail.ts'
import type { ServerContext } from '../../kernel/context.ts'
import { requireAnswer } from '../../kernel/db/outside-answers.ts'
import { nowSeconds, type Reader, type Trx } from '../../kernel/ports.ts'
import type { LoginDenial, LoginQuestion } from '../../login/hook/hook.ts'
import type { HookClient } from './client.ts'
import { hookLimits } from './limits.ts'
import { type HookRow, readClaims, storeClaims } from './store.ts'

const decision = {
  decision: v.picklist(['allow', 'deny']),
  /** A code for the host page. Users never see it. */
  reason: v.exactOptional(v.pipe(v.string(), v.maxLength(hookLimits.maxReasonLength), v.regex(/^[\w.-]+$/))),
}

/** Names with a meaning in tokens. A backend could mistake a claim of this name for one of the server. */
const reservedClaims = new Set(
  'iss sub aud exp nbf iat jti client_id sid scope cnf metadata app_claims'.split(' '),
)
const claims = {
  claims: v.pipe(
    v.record(v.string(), v.unknown()),
    v.check((object) => Object.keys(object).every((name) => !reservedClaims.has(name)), 'a reserved name'),
    v.check(
      (object) => Buffer.byteLength(JSON.stringify(object)) <= hookLimits.maxClaimsBytes,
      'the claims are too large',
    ),
  ),
}

const sent = { sent: v.literal(true) }

const addressDomain = ({ type, identifier, profile }: LoginQuestion['account']): string | null => {
  const address = type === 'email' ? identifier : profile?.email
  return typeof address === 'string' ? address.slice(address.lastIndexOf('@') + 1) : null
}

/** Asks `login.before`. A denial is recorded in the transaction of the login. */
export const createLoginHook =
  (client: HookClient) =>
  async (trx: Trx, context: ServerContext, question: LoginQuestion): Promise<LoginDenial | undefined> => {
    const { appId, method, account, findUser } = question
    const hook = await client.find(trx, appId, 'login.before')
    if (hook === undefined) return undefined
    const userId = (await findUser()) ?? null
    const data = {
      user_id: userId,
      is_new: userId === null,
      method,
      account_type: account.type,
      email_domain: addressDomain(account),
    }
    const result = requireAnswer(trx, JSON.stringify([hook.id, account.identifier, data]), () =>
      client.ask(context, hook, data, decision),
    )
    const isAllowed =
      result.type === 'answered' ? result.answer.decision === 'allow' : hook.on_failure === 'allow'
    if (isAllowed) return undefined
    const reason = result.type === 'answered' ? (result.answer.reason ?? null) : null
    await recordAudit(trx, context.clock, {
      event: 'user.login_denied_by_hook',
      appId,
      userId,
      sessionId: null,
      details: { hook: hook.id, method, reason, answered: result.type === 'answered' },
    })
    return { reason }
  }

type ClaimsSession = { id: string; family_id: string; app_id: string; user_id: string }

/** Asks `token.claims` once a session. */
export const createClaimsHook =
  (client: HookClient) =>
  async (
    reader: Reader,
    context: ServerContext,
    session: ClaimsSession,
  ): Promise<SessionClaims | undefined> => {
    const hook = await client.find(reader, session.app_id, 'token.claims')
    if (hook === undefined) return undefined
    const stored = await readClaims(reader, session.family_id)
    if (stored !== undefined) return { type: 'stored', claims: JSON.parse(stored) as HookClaims }
    return { type: 'missing', ask: () => askClaims(client, context, hook, session) }
  }

async function askClaims(
  client: HookClient,
  context: ServerContext,
  hook: HookRow,
  { id, family_id: sessionId, app_id: appId, user_id: userId }: ClaimsSession,
): Promise<HookClaims | undefined> {
  const result = await client.ask(context, hook, { user_id: userId, session_id: id }, claims)
  if (result.type === 'failed') {
    if (hook.on_failure === 'allow') return undefined
    throw new LatchkeyError('unavailable', 'The app cannot issue tokens now. Please try again.')
  }
  const { claims: answer } = result.answer
  await storeClaims(context.db, {
    session_id: sessionId,
    user_id: userId,
    app_id: appId,
    claims: JSON.stringify(answer),
    created_at: nowSeconds(context.clock),
  })
  return answer
}

/** Asks `message.send`. Returns whether the backend sent the message. */
export const createMessageHook =
  (client: HookClient) =>
  async (context: ServerContext, appId: string, message: OutgoingMessage): Promise<boolean> => {
    const hook = await client.find(context.db, appId, 'message.send')
    if (hook === undefined) return false
    const result = await client.ask(context, hook, toMessageData(message), sent)
    return result.type === 'answered'
  }

function toMessageData(message: OutgoingMessage) {
  const { kind, channel, language } = message
  if (message.channel === 'sms') return { kind, channel, language, to: message.to, text: message.text }
  const { to, subject, text, html, images } = message.mail
  return {
    kind,
    channel,
    language,
    to,
    subject,
    text,
    html,
    images: images.map(({ cid, contentType, bytes }) => ({
      cid,
      content_type: contentType,
      base64: Buffer.from(bytes).toString('base64'),
    })),
  }
}
