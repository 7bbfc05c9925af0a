/** Handles another app's request for access to this user's wallet: shows it and sends the user's answer. */
import {
  findLoginMethodByAccount,
  LatchkeyError,
  type LinkedAccount,
  type UserRecord,
} from '@latchkey/protocol'
import { type CrossAppScope, crossAppLimits, providerRoutes, type RouteBody } from '@latchkey/protocol/api'
import type { Clock } from '../clock.ts'
import { withChecksum } from '../vault/keys/checksum.ts'
import type { Requester, Show } from './screen/state.ts'
import { isCanceled, waitForUser } from './screen/user-answer.ts'
import type { Session } from './session/session.ts'
import type { BringWallet } from './wallet/bring-wallet.ts'

export type AuthorizePorts = {
  session: Pick<Session, 'api'>
  bringWallet: BringWallet
  clock: Clock
  show: Show
  /** The origins of Latchkey's own pages, to which the page posts the answer. */
  finishOrigins: readonly string[]
  /** Leaves this page by a form. */
  submit: (finishUrl: string, secret: string) => void
}

/** The scopes of an app that may only read. */
const readingScopes: ReadonlySet<CrossAppScope> = new Set(['openid', 'profile', 'wallet.read'])

type Answer = RouteBody<typeof providerRoutes.authorize>

export const createAuthorize = (ports: AuthorizePorts) => {
  const { session, bringWallet, clock, show, finishOrigins, submit } = ports

  async function finish(requester: Requester, answer: Answer, signal: AbortSignal): Promise<void> {
    show({ status: 'deciding' })
    const { finishUrl, secret } = await session.api(providerRoutes.authorize, { signal }, answer)
    if (!finishOrigins.includes(parseOrigin(finishUrl))) {
      throw new LatchkeyError('invalid_answer', 'The answer would go to an unknown origin')
    }
    const again = () => submit(finishUrl, secret)
    show({ status: 'going-on', requester, again })
    again()
  }

  /** Returns whether the user finished or wants another account. */
  return async (
    interaction: string,
    user: UserRecord,
    signal: AbortSignal,
  ): Promise<'finished' | 'change-account'> => {
    const { requester, scopes, expiresInSeconds } = await session.api(
      providerRoutes.verifyAuthorization,
      { signal },
      { interaction },
    )
    const late = new AbortController()
    const inTime = AbortSignal.any([signal, late.signal])
    const cancelTimeout = clock.after(expiresInSeconds * 1_000, () =>
      late.abort(new LatchkeyError('not_found', 'The request has expired')),
    )
    try {
      const answer = await askForAnswer(requester, { interaction, scopes, user }, inTime)
      if (answer === 'change-account') return answer
      cancelTimeout()
      await finish(requester, answer, signal)
      return 'finished'
    } finally {
      cancelTimeout()
    }
  }

  async function askForAnswer(
    requester: Requester,
    {
      interaction,
      scopes,
      user,
    }: {
      interaction: string
      scopes: readonly CrossAppScope[]
      user: UserRecord
    },
    signal: AbortSignal,
  ): Promise<Answer | 'change-account'> {
    const denial = { decision: 'deny', interaction } as const
    let address: string
    try {
      address = await bringWallet(user, signal)
    } catch (error) {
      if (isCanceled(error)) return denial
      throw error
    }
    return waitForUser<Answer | 'change-account'>(signal, (give) =>
      show({
        status: 'consent',
        requester,
        scopes,
        address: withChecksum(address),
        account: getAccountName(user),
        allow({ isReadOnly, dailyUsd }) {
          const allowed = scopes.filter((scope) => !isReadOnly || readingScopes.has(scope))
          const sends = allowed.includes('wallet.send')
          give({
            decision: 'allow',
            interaction,
            scopes: allowed,
            address,
            dailyUsd: sends ? Math.min(Math.max(Math.trunc(dailyUsd), 0), crossAppLimits.maxDailyUsd) : null,
          })
        },
        deny: () => give(denial),
        changeAccount: () => give('change-account'),
      }),
    )
  }
}

function parseOrigin(url: string): string {
  try {
    return new URL(url).origin
  } catch {
    return ''
  }
}

/** Returns the name of the account by which the user recognizes their login. */
function getAccountName({ linkedAccounts }: UserRecord): string | undefined {
  for (const account of linkedAccounts) {
    const name = getDisplayName(account)
    if (name) return name
  }
  return undefined
}

function getDisplayName(account: LinkedAccount): string | undefined {
  if (account.type === 'custom_auth') return account.customUserId
  if (account.type === 'wallet' && account.connectorType === 'embedded') return undefined
  const fields = findLoginMethodByAccount(account.type)?.shownBy ?? []
  return fields.map((field) => Reflect.get(account, field)).find((name) => typeof name === 'string')
}
