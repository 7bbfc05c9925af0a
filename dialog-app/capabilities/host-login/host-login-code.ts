/**
 * Starts and ends the session with the login of the host page. The page returns a token of its own issuer, and the
 * server verifies it.
 */
import { apiLimits, hostLoginLimits, LatchkeyError, toHostAccount, toLatchkeyError } from '@latchkey/protocol'
import { type AuthAnswer, customJwtRoutes } from '@latchkey/protocol/api'
import { parse } from '@latchkey/protocol/channel'
import { getPageTokenMethod, hostPageId } from '@latchkey/protocol/host'
import * as v from 'valibot'
import { createShared } from '../../browser/shared.ts'
import { orAborted, withDeadline } from '../../browser/waiting.ts'
import type { CapabilityPorts } from '../../contract/capability.ts'
import { takeSilentSteps } from '../../contract/dialog.ts'
import { pageOf } from '../../contract/page.ts'
import type { HostLogin } from '../../host/host-calls.ts'
import { hostUser } from '../../host/host-user.ts'
import { requireUser } from '../../host/require-user.ts'
import type { SessionListener } from '../../session/session.ts'
import type { Remedy } from '../../wallet/wallet-obstacles.ts'

/** The session after the page's login was checked. */
type Outcome = 'no user' | 'same user' | AuthAnswer

const tokenAnswer = v.object({
  result: v.nullable(v.pipe(v.string(), v.nonEmpty(), v.maxLength(apiLimits.maxStringLength))),
})

const tokenFailed = (cause?: unknown) =>
  new LatchkeyError('host_login_failed', 'The page returned no token of its login', { cause })

const noUser = () => new LatchkeyError('host_login_absent', 'No user is logged in to the page')

export function createHostLogin(ports: CapabilityPorts): HostLogin & { remedy: Remedy } {
  const { session, wallet, api, clock, analytics, tellPage } = ports
  const page = pageOf(ports)
  const join = createShared<Outcome>()
  let first: Promise<void> | undefined
  /** The session's token when the page's login was last checked. Undefined during a check. */
  let checkedToken: string | null | undefined

  async function requestToken(signal: AbortSignal): Promise<string | null> {
    const request = { wallet: hostPageId, method: getPageTokenMethod, params: [] }
    const answer = withDeadline(
      clock,
      hostLoginLimits.tokenMs,
      page.request(request, { signal }).then((received) => parse(tokenAnswer, received, 'invalid_answer')),
      tokenFailed,
    ).catch((cause) => {
      throw cause.code === 'host_login_failed' ? cause : tokenFailed(cause)
    })
    return (await orAborted(answer, signal)).result
  }

  async function checked<T>(run: () => Promise<T>): Promise<T> {
    checkedToken = undefined
    try {
      return await run()
    } finally {
      checkedToken = session.storedToken()
    }
  }

  const check = (signal: AbortSignal) => checked(() => compareUsers(signal))

  async function compareUsers(signal: AbortSignal): Promise<Outcome> {
    if (!session.hasCredentials()) wallet.prepareOperation()
    const [token, user] = await Promise.all([requestToken(signal), session.user({ signal })])
    if (user) {
      const confirm = (token: string) => api.call(customJwtRoutes.confirmCustomJwt, { token }, { signal })
      if (token !== null && (await confirm(token)).isSameUser) return 'same user'
      await session.logout()
    }
    return token === null ? 'no user' : logIn(token, signal)
  }

  async function logIn(token: string, signal: AbortSignal): Promise<AuthAnswer> {
    const vault = wallet.loginVault()
    const body = { token, ...(vault && { vault: vault.vault }) }
    const answer = await session.logIn(customJwtRoutes.loginWithCustomJwt, body, {
      signal,
      headers: vault?.headers,
    })
    wallet.acceptLogin(vault, answer)
    analytics('sdk_authenticate', { method: 'custom_jwt', isNewUser: answer.isNewUser })
    return answer
  }

  const createWallet = () => takeSilentSteps(ports).catch(() => {})

  /** Checks the page's login without a caller. The page receives a failure as an event. */
  async function followOnce(): Promise<void> {
    try {
      const outcome = await join(check)
      if (typeof outcome === 'object') void createWallet()
    } catch (error) {
      const { code, message, details } = toLatchkeyError(error, 'unknown_auth_error', 'The login failed')
      tellPage({
        name: 'hostLoginFailed',
        data: { code, message, ...(details !== undefined && { details }) },
      })
    }
  }

  /** Checks the page's login again after each renewal of the session, which has a new token. */
  const checkRenewal: SessionListener = ({ status }, _before, origin) => {
    const isRenewed = checkedToken !== undefined && session.storedToken() !== checkedToken
    if (status === 'authenticated' && origin === 'here' && isRenewed) void followOnce()
  }

  /** Logs the user in again if this browser has lost the device key of the session. */
  const remedy: Remedy = {
    obstacle: 'device_not_bound',
    helps: () => first !== undefined,
    async overcome(call, callWallet) {
      const { signal } = call.card
      const userBefore = await requireUser(ports, { signal })
      const token = await requestToken(signal)
      if (token === null) {
        await session.logout()
        throw noUser()
      }
      const { user } = await checked(() => logIn(token, signal))
      if (user.id === userBefore.id) return callWallet(call)
      throw new LatchkeyError('embedded_wallet_not_found', 'Another user has logged in')
    },
  }

  return {
    remedy,
    async follow() {
      if (!first) {
        first = followOnce()
        session.subscribe(checkRenewal)
      }
      await withDeadline(clock, hostLoginLimits.startMs, first, tokenFailed).catch(() => {})
    },
    async logIn(caller) {
      const outcome = await join(check, caller.signal)
      if (outcome === 'no user') throw noUser()
      // Takes the steps that need the user, such as the terms, on a card.
      const result = await ports.logIn(caller)
      if (outcome === 'same user') return result
      await createWallet()
      if (outcome.hasNotices) ports.showNotices().catch(() => {})
      const user = (await session.user(caller)) ?? outcome.user
      const account = user.linkedAccounts.find(({ type }) => type === 'custom_auth')
      return {
        user: hostUser(user),
        isNewUser: outcome.isNewUser,
        wasAlreadyAuthenticated: false,
        loginMethod: null,
        loginAccount: account ? toHostAccount(account) : null,
      }
    },
  }
}
