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
import type { CallServed, HostCalls } from '../core/host-calls.ts'
import { hostUser } from '../host/host-user.ts'
import { createShared } from '../shared.ts'
import { abortErrorOf, type Cancellable, stopIfAborted } from '../waiting.ts'
import { type LoginFlow, type LoginPorts, startLogin } from './login.ts'
import { checkMessage, type Signed, type SignFlow, type SignRequest, startSign } from './sign.ts'
import { createTurns } from './turns.ts'
import type { ViewEvent } from './view-state.ts'

export type Dialog = {
  readonly call: CallServed
  readonly login: (asker?: Cancellable) => Promise<LoginResult>
  readonly createWallet: (asker?: Cancellable) => Promise<WalletAccount>
  readonly signMessage: (request: SignRequest, asker?: Cancellable) => Promise<Signed>
  readonly send: (event: ViewEvent) => void
}

export function createDialog(ports: LoginPorts): Dialog {
  const { session, stage, createUserWallet } = ports
  const takeTurn = createTurns()
  const joinLogin = createShared<LoginResult>()
  let loggingIn: LoginFlow | undefined
  let signing: SignFlow | undefined

  session.subscribe((state, _before, origin) => {
    if (state.status === 'authenticated' && origin === 'elsewhere') loggingIn?.loggedInElsewhere(state.user)
    if (state.status === 'visitor') signing?.abandon(mustBeAuthenticated())
  })

  async function requireUser(asker: Cancellable): Promise<UserRecord> {
    const user = await session.user(asker)
    if (!user) throw mustBeAuthenticated()
    return user
  }

  async function loginOnce(asker: Cancellable): Promise<LoginResult> {
    const already = await knownUser(asker)
    if (already) return already
    return takeTurn(async () => {
      // Whoever had the turn before may have logged in.
      const meanwhile = await knownUser(asker)
      if (meanwhile) return { outcome: Promise.resolve(meanwhile), left: Promise.resolve() }
      loggingIn = startLogin(ports)
      endWithCaller(loggingIn, asker)
      return loggingIn
    })
  }

  async function knownUser(asker: Cancellable): Promise<LoginResult | undefined> {
    const user = await session.user(asker)
    if (!user) return undefined
    return {
      user: hostUser(user),
      isNewUser: false,
      wasAlreadyAuthenticated: true,
      loginMethod: null,
      loginAccount: null,
    }
  }

  /** Calls at once share one login, which ends when the last of them is taken back. */
  const login = ({ signal }: Cancellable = {}) => joinLogin((wanted) => loginOnce({ signal: wanted }), signal)

  async function createWallet(asker: Cancellable = {}) {
    await requireUser(asker)
    return createUserWallet({ readyWaitMs: walletLimits.frameReadyImperativeMs })
  }

  async function signMessage(request: SignRequest, asker: Cancellable = {}) {
    checkMessage(request.message)
    return takeTurn(async () => {
      const user = await requireUser(asker)
      stopIfAborted(asker.signal)
      const account = embeddedWallet(user)
      if (!account) {
        throw new LatchkeyError('embedded_wallet_not_found', 'The user has no wallet to sign with')
      }
      signing = startSign(ports, request, account)
      endWithCaller(signing, asker)
      return signing
    })
  }

  const hostCalls: HostCalls = {
    login: (_, caller) => login(caller),
    createWallet: async (_, caller) => ({ wallet: await createWallet(caller) }),
    signMessage,
  }

  return {
    call: (name, data, context) => hostCalls[name](data, context),
    login,
    createWallet,
    signMessage,
    send: stage.send,
  }
}

/** Nothing stays on the screen for a caller that is gone. */
function endWithCaller(flow: Pick<LoginFlow, 'abandon' | 'left'>, { signal }: Cancellable): void {
  if (!signal) return
  const end = () => flow.abandon(abortErrorOf(signal))
  signal.addEventListener('abort', end, { once: true })
  const leave = () => signal.removeEventListener('abort', end)
  flow.left.then(leave, leave)
}

const mustBeAuthenticated = () => new LatchkeyError('must_be_authenticated', messages.mustBeAuthenticated)
