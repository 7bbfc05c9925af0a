/** A login from LANDING to its end: one promise, settled when the dialog closes. */
import {
  dialogLimits,
  embeddedWallet,
  isEmailAddress,
  LatchkeyError,
  type LinkedAccount,
  type LoginMethod,
  messages,
  toLatchkeyError,
  type UserRecord,
  walletLimits,
} from '@latchkey/protocol'
import type { LoginResult } from '@latchkey/protocol/host'
import { failurePayload } from '../api/analytics.ts'
import { hostUser } from '../host/host-user.ts'
import { stepAfterLogin } from './after-login.ts'
import { allowlistState, offeredMethods } from './app-settings.ts'
import { createEmailCode } from './email.ts'
import { errorState } from './error-screen.ts'
import { exitCodes } from './navigation.ts'
import type { FlowPorts } from './ports.ts'
import type { Flow, Stage } from './stage.ts'
import type { LandingState, ScreenView, ShownScreen, ViewEvent } from './view-state.ts'
import type { CreateUserWallet } from './wallet-create.ts'

export type LoginPorts = FlowPorts & { readonly stage: Stage; readonly createUserWallet: CreateUserWallet }

export type LoggedIn = {
  readonly user: UserRecord
  readonly isNewUser: boolean
  readonly loginMethod: LoginMethod | null
  readonly loginAccount: LinkedAccount | null
}

export type LoginFlow = {
  readonly outcome: Promise<LoginResult>
  /** The stage is free again. */
  readonly left: Promise<void>
  /** Another tab logged in: this one need not ask any more. */
  readonly loggedInElsewhere: (user: UserRecord) => void
  /** Ends the flow without the user: whoever called is gone. */
  readonly abandon: (error: LatchkeyError) => void
}

export function startLogin(ports: LoginPorts): LoginFlow {
  const { stage, session, analytics, settings, wallet, createUserWallet } = ports
  const outcome = Promise.withResolvers<LoginResult>()
  const left = Promise.withResolvers<void>()
  let loggedIn: LoggedIn | undefined
  let over = false

  const flow: Flow = { kind: 'login', handle, lost: (error) => end(() => outcome.reject(error)) }
  const email = createEmailCode({ ...ports, isLive: () => !over, showProblem, showScreen, onLogin: complete })

  const landing = (state: Partial<LandingState> = {}): ScreenView => ({
    name: 'LANDING',
    state: { status: 'ready', methods: offeredMethods(settings()), email: '', ...state },
  })

  function end(settle: () => void) {
    if (over) return
    over = true
    settle()
    stage.close(flow).then(left.resolve, left.reject)
  }

  function succeed() {
    if (!loggedIn) return
    const { isNewUser, loginMethod, loginAccount } = loggedIn
    const state = session.state()
    const user = state.status === 'authenticated' ? state.user : loggedIn.user
    end(() =>
      outcome.resolve({
        user: hostUser(user),
        isNewUser,
        wasAlreadyAuthenticated: false,
        loginMethod,
        loginAccount,
      }),
    )
  }

  function dismiss() {
    if (loggedIn) succeed()
    else end(() => outcome.reject(new LatchkeyError(exitCodes.login, 'The user closed the dialog')))
  }

  function showProblem(error: unknown) {
    if (over) return
    const problem = toLatchkeyError(error, 'unknown_auth_error', 'Something went wrong')
    if (problem.code === 'allowlist_rejected') showScreen('ALLOWLIST_REJECTION_SCREEN', problem)
    else stage.go({ name: 'ERROR_SCREEN', state: errorState(problem) })
  }

  function showScreen(name: ShownScreen, error: LatchkeyError) {
    switch (name) {
      case 'ALLOWLIST_REJECTION_SCREEN':
        return stage.go({ name, state: allowlistState(settings()) })
      case 'USER_LIMIT_REACHED_SCREEN':
      case 'ACCOUNT_NOT_FOUND_SCREEN':
        return stage.go({ name, state: {} })
      default:
        return stage.go({ name: 'ERROR_SCREEN', state: errorState(error) })
    }
  }

  async function sendFirstCode(address: string) {
    const at = stage.screen()
    if (at?.name !== 'LANDING' || at.state.status !== 'ready' || !isEmailAddress(address)) return
    const sending = landing({ status: 'sending', email: address })
    stage.update(sending)
    const stillThere = () => !over && stage.screen() === sending
    try {
      const code = await email.sendFirst(address)
      if (!stillThere()) return
      stage.update(landing({ email: address }))
      stage.go(code)
    } catch (error) {
      if (!stillThere()) return
      stage.update(landing({ email: address }))
      showProblem(error)
    }
  }

  function complete(done: LoggedIn) {
    loggedIn = done
    analytics('sdk_authenticate', { method: done.loginMethod, isNewUser: done.isNewUser })
    const step = stepAfterLogin(settings(), done.user)
    switch (step) {
      case 'create-wallet':
        wallet.prepare()
        stage.after(dialogLimits.beforeNextStepMs, () => void makeWallet(done))
        return
      case 'consent':
      case 'close':
        // What the user has may have changed since the answer was made; nobody waits for it.
        session.reloadUser().catch(() => {})
        stage.after(dialogLimits.successCloseMs, succeed)
        return
      default:
        step satisfies never
    }
  }

  async function makeWallet(done: LoggedIn) {
    stage.restart({ name: 'EMBEDDED_WALLET_ON_ACCOUNT_CREATE_SCREEN', state: { status: 'creating' } })
    try {
      await createUserWallet({ readyWaitMs: walletLimits.frameReadyMs })
    } catch (error) {
      if (hasWalletMeanwhile()) showCreated(done)
      else await giveUpWallet(error)
      return
    }
    showCreated(done)
  }

  /** Another tab may have been quicker. */
  function hasWalletMeanwhile() {
    const state = session.state()
    return state.status === 'authenticated' && embeddedWallet(state.user) !== undefined
  }

  function showCreated({ isNewUser }: LoggedIn) {
    if (over) return
    stage.replace({
      name: 'EMBEDDED_WALLET_CREATED_SCREEN',
      state: { title: isNewUser ? 'Welcome' : 'All set!' },
    })
    stage.after(walletLimits.createdScreenCloseMs, succeed)
  }

  async function giveUpWallet(error: unknown) {
    const { message } = toLatchkeyError(error, 'unknown_embedded_wallet_error', messages.walletCreate.failed)
    loggedIn = undefined
    analytics('embedded_wallet_creation_failure_logout', failurePayload(error))
    await session.logout()
    stage.update({
      name: 'EMBEDDED_WALLET_ON_ACCOUNT_CREATE_SCREEN',
      state: { status: 'failed', problem: message },
    })
  }

  function goBack() {
    if (loggedIn) return
    stage.back()
    email.refresh()
  }

  function retry() {
    const at = stage.screen()
    switch (at?.name) {
      case 'ERROR_SCREEN':
        return goBack()
      case 'ALLOWLIST_REJECTION_SCREEN':
      case 'USER_LIMIT_REACHED_SCREEN':
      case 'ACCOUNT_NOT_FOUND_SCREEN':
        return stage.restart(landing())
      case 'EMBEDDED_WALLET_ON_ACCOUNT_CREATE_SCREEN':
        return at.state.status === 'failed' ? stage.restart(landing()) : undefined
      default:
        return undefined
    }
  }

  function handle(event: ViewEvent) {
    switch (event.type) {
      case 'close':
        return dismiss()
      case 'back':
        return goBack()
      case 'submit-email':
        return void sendFirstCode(event.email)
      case 'submit-code':
        return void email.submit(event.code)
      case 'resend-code':
        return void email.resend()
      case 'retry':
        return retry()
      case 'info':
      case 'visibility':
      case 'approve':
      case 'log-out':
        return
      default:
        event satisfies never
    }
  }

  stage.open(flow, landing())
  return {
    outcome: outcome.promise,
    left: left.promise,
    loggedInElsewhere(user) {
      if (loggedIn || over) return
      loggedIn = { user, isNewUser: false, loginMethod: null, loginAccount: null }
      succeed()
    },
    abandon: (error) => end(() => outcome.reject(error)),
  }
}
