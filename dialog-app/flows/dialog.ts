/** What a host can ask of the dialog, and who gets it when. */
import {
  embeddedWallet,
  LatchkeyError,
  messages,
  type UserRecord,
  type WalletAccount,
  walletLimits,
} from '@latchkey/protocol'
import type { LoginResult } from '@latchkey/protocol/host'
import { hostUser } from '../host/host-user.ts'
import { type LoginFlow, type LoginPorts, startLogin } from './login.ts'
import { checkMessage, type Signed, type SignFlow, type SignRequest, startSign } from './sign.ts'
import { createTurns } from './turns.ts'
import type { ViewEvent } from './view-state.ts'

export type Dialog = {
  readonly login: () => Promise<LoginResult>
  readonly createWallet: () => Promise<WalletAccount>
  readonly signMessage: (request: SignRequest) => Promise<Signed>
  readonly send: (event: ViewEvent) => void
}

export function createDialog(ports: LoginPorts): Dialog {
  const { session, stage, createUserWallet } = ports
  const takeTurn = createTurns()
  let loggingIn: { readonly outcome: Promise<LoginResult>; flow?: LoginFlow } | undefined
  let signing: SignFlow | undefined

  session.subscribe((state, _before, origin) => {
    if (state.status === 'authenticated' && origin === 'elsewhere')
      loggingIn?.flow?.loggedInElsewhere(state.user)
    if (state.status === 'visitor') signing?.abandon(mustBeAuthenticated())
  })

  async function requireUser(): Promise<UserRecord> {
    const user = await session.user()
    if (!user) throw mustBeAuthenticated()
    return user
  }

  async function loginOnce(): Promise<LoginResult> {
    const already = await knownUser()
    if (already) return already
    return takeTurn(async () => {
      // Whoever had the turn before may have logged in.
      const meanwhile = await knownUser()
      if (meanwhile) return { outcome: Promise.resolve(meanwhile), left: Promise.resolve() }
      const flow = startLogin(ports)
      if (loggingIn) loggingIn.flow = flow
      return flow
    })
  }

  async function knownUser(): Promise<LoginResult | undefined> {
    const user = await session.user()
    if (!user) return undefined
    return {
      user: hostUser(user),
      isNewUser: false,
      wasAlreadyAuthenticated: true,
      loginMethod: null,
      loginAccount: null,
    }
  }

  return {
    /** Calls at once share one login. */
    login() {
      loggingIn ??= {
        outcome: loginOnce().finally(() => {
          loggingIn = undefined
        }),
      }
      return loggingIn.outcome
    },

    async createWallet() {
      await requireUser()
      return createUserWallet({ readyWaitMs: walletLimits.frameReadyImperativeMs })
    },

    async signMessage(request) {
      checkMessage(request.message)
      return takeTurn(async () => {
        const user = await requireUser()
        const account = embeddedWallet(user)
        if (!account) {
          throw new LatchkeyError('embedded_wallet_not_found', 'The user has no wallet to sign with')
        }
        signing = startSign(ports, request, account)
        return signing
      })
    },

    send: stage.send,
  }
}

const mustBeAuthenticated = () => new LatchkeyError('must_be_authenticated', messages.mustBeAuthenticated)
