/** Mounts the calls of the dashboard's own page: joining by an invitation, signing in and out, and passkeys. */
import { toWire } from '@latchkey/protocol'
import { adminLimits, signInPrefix, signInRoutes } from '@latchkey/protocol/admin'
import type { Context, Hono } from 'hono'
import type * as v from 'valibot'
import { consume } from '../../../kernel/attempts/attempts.ts'
import type { ServerContext } from '../../../kernel/context.ts'
import { createAddressFinder } from '../../../kernel/http/addresses/client-address.ts'
import { toCountedAddress } from '../../../kernel/http/addresses/networks.ts'
import { AdminError } from '../../../kernel/http/admin-endpoint.ts'
import { parseJson, parseWire, readBody } from '../../../kernel/http/body.ts'
import type { HttpEnv } from '../../../kernel/http/mount.ts'
import { hashRequest } from '../../../kernel/http/replay/request-id.ts'
import { nowSeconds, type Trx } from '../../../kernel/ports.ts'
import { answerLogout, refuseLogout } from '../../../login/oidc/oidc.ts'
import { adminEnvironment } from '../environment.ts'
import { formatTime } from '../pages.ts'
import {
  acceptAssertion,
  acceptRegistration,
  beginAssertion,
  beginRegistration,
  signInFailed,
} from './ceremony.ts'
import { requireConfirmation } from './confirmation.ts'
import { operatorLimits } from './limits.ts'
import { findGrant, findOperatorOidc } from './oidc-settings.ts'
import {
  admitIdentity,
  beginOidcSignIn,
  endSessionsByLogout,
  finishOidcSignIn,
  refuseWithoutRole,
} from './oidc-sign-in.ts'
import {
  addPasskey,
  findInvitation,
  findOperator,
  getSignIn,
  joinByInvitation,
  listPasskeys,
  type Operator,
  recordOperator,
  removePasskey,
} from './operators.ts'
import {
  assertFromDashboard,
  clearBrowserSecret,
  clearSessionCookie,
  createSession,
  describeSession,
  endSession,
  findSession,
  getBrowserSecret,
  getSessionToken,
  type LivingSession,
  type ProviderSession,
  requireSession,
  setBrowserSecret,
  setSessionCookie,
} from './session.ts'

type SignInRoute = (typeof signInRoutes)[keyof typeof signInRoutes]
type Body<R extends SignInRoute> = R extends { body: infer S extends v.GenericSchema }
  ? v.InferOutput<S>
  : undefined
type Call<R extends SignInRoute> = {
  c: Context<HttpEnv>
  body: Body<R>
  requestId: string
  /** The digest of the request, which a confirmation covers. */
  digest: string
  /** The client address, if the operator has it stored. */
  storedAddress: string | undefined
}

export function mountSignIn(hono: Hono<HttpEnv>, context: ServerContext, requestId: () => string): void {
  const { clock, config, db } = context
  const findAddress = createAddressFinder(config.trustedProxies)
  const storesAddresses = adminEnvironment.read(config).ADMIN_AUDIT_ADDRESSES === 'true'

  /** Limits how many challenges an address can have stored, and guesses. */
  async function consumeAttempt(address: ReturnType<typeof findAddress>): Promise<void> {
    if (address === undefined) return
    const key = `operator-attempts|${toCountedAddress(address)}`
    const quotas = [operatorLimits.attempts]
    const allowance = await consume(db, { key, quotas, nowSeconds: nowSeconds(clock) })
    if (allowance.allowed) return
    const { retryAfterSeconds } = allowance
    throw new AdminError('too_many_requests', 'Retry later', { retryAfterSeconds })
  }

  function mount<const R extends SignInRoute>(
    route: R,
    answer: (call: Call<R>) => Promise<v.InferOutput<R['output']>>,
  ): void {
    const path = signInPrefix + route.path
    hono.on(route.method, path, async (c) => {
      c.set('pattern', path)
      c.header('cache-control', 'no-store')
      assertFromDashboard(c, context)
      const address = findAddress(c.env?.incoming?.socket?.remoteAddress, c.req.header('x-forwarded-for'))
      let body: unknown
      let text = ''
      if ('body' in route) {
        await consumeAttempt(address)
        text = await readBody(c, 'application/json', adminLimits.maxBodyBytes)
        body = parseWire(route.body, parseJson(text))
      }
      const storedAddress = storesAddresses ? address?.toString() : undefined
      const digest = hashRequest([route.method, path, text])
      const output = await answer({ c, body: body as Body<R>, requestId: requestId(), digest, storedAddress })
      return c.json(toWire(route.output, output) as object)
    })
  }

  type Start = {
    /** Returns the operator of the session. Throws if they may not sign in. */
    admit: (trx: Trx) => Promise<{ operator: Operator; operation: string }>
    from?: ProviderSession
  }
  async function startSession(
    { c, requestId, storedAddress: address }: Pick<Call<SignInRoute>, 'c' | 'requestId' | 'storedAddress'>,
    { admit, from }: Start,
  ) {
    const earlier = getSessionToken(c)
    const { session, token } = await context.transaction(async (trx) => {
      const { operator, operation } = await admit(trx)
      await recordOperator(trx, clock, operator, { operation, requestId, address })
      const replaced = earlier === undefined ? undefined : await findSession(trx, clock, earlier)
      if (replaced) await endSession(trx, replaced)
      return createSession(trx, clock, operator, from)
    })
    setSessionCookie(c, token)
    return describeSession(session)
  }

  async function requireInvitation(text: string) {
    const invitation = await findInvitation(db, nowSeconds(clock), text)
    if (invitation === undefined) throw invitationExpired()
    return invitation
  }

  mount(signInRoutes.readSession, async ({ c }) => describeSession(await requireSession(c, context)))

  mount(signInRoutes.openInvitation, async ({ body }) => {
    const invitation = await requireInvitation(body.invitation)
    const { email, role } = invitation.operator
    const occasion = { purpose: 'join', invitation: invitation.id } as const
    const options = await beginRegistration(context, occasion, invitation.operator)
    return { email, role, expiresAt: formatTime(invitation.expiresAt), options }
  })

  mount(signInRoutes.acceptInvitation, async (call) => {
    const { invitation: text, credential } = call.body
    const invitation = await requireInvitation(text)
    const occasion = { purpose: 'join', invitation: invitation.id } as const
    const passkey = await acceptRegistration(context, occasion, credential)
    return startSession(call, {
      async admit(trx) {
        if (!(await joinByInvitation(trx, clock, invitation, passkey))) throw invitationExpired()
        return { operator: invitation.operator, operation: 'operator.joined' }
      },
    })
  })

  mount(signInRoutes.beginSignIn, async () => ({
    options: await beginAssertion(context, { purpose: 'sign-in' }),
  }))

  mount(signInRoutes.signIn, async (call) => {
    const passkey = await acceptAssertion(context, { purpose: 'sign-in' }, call.body.credential)
    return startSession(call, {
      async admit(trx) {
        const operator = await findOperator(trx, passkey.operator_id)
        if (operator === undefined || operator.revoked_at !== null) throw signInFailed()
        // Their passkeys confirm calls only: the provider decides whether they may sign in.
        if (getSignIn(operator) === 'oidc') throw signInFailed()
        return { operator, operation: 'operator.signed_in' }
      },
    })
  })

  mount(signInRoutes.readSignInOptions, async () => ({
    oidcName: (await findOperatorOidc(db))?.name ?? null,
  }))

  mount(signInRoutes.beginOidcSignIn, async ({ c, body }) => {
    const { url, browserSecret } = await beginOidcSignIn(context, body.recent)
    setBrowserSecret(c, browserSecret)
    return { url }
  })

  mount(signInRoutes.finishOidcSignIn, async (call) => {
    const { c, body, requestId, storedAddress: address } = call
    const browserSecret = getBrowserSecret(c)
    clearBrowserSecret(c)
    const { provider, identity, recent } = await finishOidcSignIn(context, body.query, browserSecret)
    const grant = findGrant(provider, identity.groups)
    if (grant === undefined) return refuseWithoutRole(context, identity, { requestId, address })
    const session = await startSession(call, {
      from: identity,
      async admit(trx) {
        const { operator, isNew } = await admitIdentity(trx, clock, identity, grant)
        return { operator, operation: isNew ? 'operator.joined' : 'operator.signed_in' }
      },
    })
    return { session, recent }
  })

  // The provider's server calls this, so it has neither a cookie nor the headers of a browser.
  const logoutPath = `${signInPrefix}/oidc/backchannel-logout`
  hono.post(logoutPath, async (c) => {
    c.set('pattern', logoutPath)
    await consumeAttempt(findAddress(c.env?.incoming?.socket?.remoteAddress, c.req.header('x-forwarded-for')))
    const provider = await findOperatorOidc(db)
    if (provider === undefined) return refuseLogout('Operators have no OpenID provider here')
    return answerLogout(c, context, provider, (trx, claims) =>
      endSessionsByLogout(trx, context, provider, claims),
    )
  })

  const describePasskeys = async ({ id }: Operator) => ({
    data: (await listPasskeys(db, id)).map((row) => ({
      id: row.credential_id,
      createdAt: formatTime(row.created_at),
    })),
  })

  mount(signInRoutes.listPasskeys, async ({ c }) =>
    describePasskeys((await requireSession(c, context)).operator),
  )

  mount(signInRoutes.beginPasskey, async ({ c, digest }) => {
    const session = await requireSession(c, context)
    const hasPasskey = (await listPasskeys(db, session.operator.id)).length > 0
    if (hasPasskey) await requireConfirmation(c, context, session, digest)
    else requireRecentSignIn(session)
    const occasion = { purpose: 'add-passkey', session: session.tokenHash } as const
    return { options: await beginRegistration(context, occasion, session.operator) }
  })

  function requireRecentSignIn({ authenticatedAt }: LivingSession): void {
    const earliest = nowSeconds(clock) - operatorLimits.recentSignInSeconds
    if (authenticatedAt !== null && authenticatedAt >= earliest) return
    throw new AdminError('recent_sign_in_required', 'Sign in at the OpenID provider again')
  }

  mount(signInRoutes.addPasskey, async ({ c, body, requestId, storedAddress: address }) => {
    const { tokenHash, operator } = await requireSession(c, context)
    const occasion = { purpose: 'add-passkey', session: tokenHash } as const
    const passkey = await acceptRegistration(context, occasion, body.credential)
    await context.transaction(async (trx) => {
      await addPasskey(trx, clock, operator, passkey)
      await recordOperator(trx, clock, operator, {
        operation: 'operator.passkey_added',
        requestId,
        address,
      })
    })
    return describePasskeys(operator)
  })

  mount(signInRoutes.removePasskey, async ({ c, body, digest, requestId, storedAddress: address }) => {
    const session = await requireSession(c, context)
    await requireConfirmation(c, context, session, digest)
    const { operator } = session
    await context.transaction(async (trx) => {
      await removePasskey(trx, operator, body.id)
      await recordOperator(trx, clock, operator, {
        operation: 'operator.passkey_removed',
        requestId,
        address,
      })
    })
    return describePasskeys(operator)
  })

  mount(signInRoutes.signOut, async ({ c, requestId, storedAddress: address }) => {
    const session = await requireSession(c, context)
    await context.transaction(async (trx) => {
      await endSession(trx, session)
      await recordOperator(trx, clock, session.operator, {
        operation: 'operator.signed_out',
        requestId,
        address,
      })
    })
    clearSessionCookie(c)
    return {}
  })
}

const invitationExpired = () =>
  new AdminError('invitation_expired', 'Ask for another link: latchkey operator invite')
