/**
 * The state machine of the recovery window. It asks the user for a secret, holds it until a vault has
 * received it sealed, and shows the outcome. Closing the window cancels.
 */
import {
  dialogLimits,
  LatchkeyError,
  oauthLimits,
  recoveryPasskeyLimits,
  toLatchkeyError,
  walletLimits,
} from '@latchkey/protocol'
import {
  type CloudRecovery,
  type CloudSignIn,
  cloudRecoveries,
  cloudRefusals,
  type OperationStep,
  type RecoveryPasskeyAnswer,
  type RecoveryWindowPurpose,
  type ReportedRecoveryProblem,
  type SealedShare,
} from '@latchkey/protocol/wallet'
import type { Clock } from '../clock.ts'
import { actionDigest } from '../pages/action-digest.ts'
import { watchFrame } from '../pages/handshake/watch-frame.ts'
import { withSecret } from '../vault/keys/secret-bytes.ts'
import { sealPasskeySecret, sealPassword } from '../vault/shares/sealing.ts'
import {
  type CloudBrowser,
  type CloudWindow,
  type OpenCloud,
  prepareCloud,
  type StartSignIn,
} from './cloud-window.ts'
import type { Outcome, RecoveryRequest } from './contract.ts'
import { type Authenticator, type CreatedPasskey, createAssertionOptions, deriveSecret } from './passkey.ts'

type CloudRefusal = (typeof cloudRefusals)[number]

/** The wallet frame, as the window sees it. */
export type Frame = {
  begin: () => Promise<RecoveryRequest>
  give: (given: { newPasskey?: CreatedPasskey['attestation'] }) => Promise<Outcome>
  address: StartSignIn
  /** Reports that the cloud sign-in failed, which the card shows. */
  refuse: (code: CloudRefusal) => Promise<unknown>
  /** Returns whether the page around the frame was closed or navigated away. */
  isGone: () => boolean
}

export type FlowPorts = {
  clock: Clock
  /** Throws if no wallet frame has opened this window. */
  findFrame: (signal: AbortSignal) => Promise<Frame>
  authenticator: Authenticator
  browser: CloudBrowser
  /** The hostname of this page, which is the relying party of its passkeys. */
  hostname: string
  show: (state: WindowState) => void
  closeWindow: () => void
}

/** The problem of the last try. `minutes` is the time until the next try. */
export type Problem = { code: string; minutes?: number }

/** The facts that the user approves. */
export type Confirmed = { address: string }

type Asking = { purpose: RecoveryWindowPurpose; problem?: Problem }
export type PasswordStep =
  | { type: 'creating' | 'saving' | 'confirming'; password: string }
  /** `isGated`: the button has an approval gate. `confirm` is null until the frame asks for the approval. */
  | { type: 'finalizing'; isGated: boolean; confirm: Confirmed | null }

export type WindowState =
  | { status: 'opening' | 'prompt' | 'working' }
  | { status: 'done'; method: RecoveryRequest['method']; purpose: RecoveryWindowPurpose }
  /** No wallet frame was found. */
  | { status: 'alone' }
  /** The window cannot go on, so the user must start again in the app. */
  | { status: 'over'; method: RecoveryRequest['method']; problem: Problem }
  | ({ status: 'password' } & Asking & { purpose: 'recover' })
  | ({ status: 'wizard'; step: PasswordStep } & Asking)
  | ({ status: 'passkey'; isCreated: boolean } & Asking)
  | ({
      status: 'cloud'
      cloud: CloudRecovery
      /** `preparing`: no sign-in URL yet. A window that reads as closed may still be open. */
      step: 'preparing' | 'asking' | 'blocked' | 'open' | 'closed'
    } & Pick<Asking, 'purpose'>)
  /** The input is ready, and the user is asked to approve the recovery method. */
  | { status: 'approve'; method: RecoveryRequest['method']; confirm: Confirmed }

export type WindowFlow = {
  start: () => Promise<void>
  /** Submits the password that recovers the wallet. */
  enter: (password: string) => void
  /** Goes to a step of the wizard. */
  go: (step: 'creating' | 'saving' | 'confirming' | 'finalizing', password: string) => void
  /** Records that the user understands the consequences of a lost password. */
  understand: () => void
  /** The last press: approves the recovery method, or submits the password. */
  approve: () => void
  /** Must run inside the press, because the browser then asks for the passkey. */
  askPasskey: () => void
  /** Must run inside the press, because it opens the sign-in window. */
  openCloud: () => void
  seal: (to: { vaultKey: string; operation: OperationStep }) => Promise<Sealed>
  fromCloud: () => Promise<CloudSignIn>
  /** Asks for the user's approval, before the frame's vault signs it. */
  confirm: (asked: { digest: string }) => Promise<Readonly<Record<never, never>>>
  /** Handles the loss of the frame. */
  lose: () => void
}
type Sealed = {
  password?: SealedShare
  passkey?: RecoveryPasskeyAnswer
}

type UserInput =
  | { by: 'password'; password: string }
  | {
      by: 'passkey'
      secret: CryptoKey
      named: Omit<RecoveryPasskeyAnswer, 'secret'>
    }
  | { by: 'cloud'; cloud: CloudSignIn }

export function createWindowFlow(ports: FlowPorts): WindowFlow {
  const { clock, authenticator, browser, hostname, show, closeWindow } = ports
  let frame: Frame | undefined
  let request: RecoveryRequest | undefined
  let input: UserInput | undefined
  let createdPasskey: (CreatedPasskey & { untilMs: number }) | undefined
  /** The wizard's password, before it is submitted. */
  let password = ''
  let approval: PromiseWithResolvers<void> | undefined
  let openSignIn: OpenCloud | undefined
  let signIn: CloudWindow | undefined
  let isSubmitting = false
  let isOver = false

  async function start() {
    show({ status: 'opening' })
    const late = new AbortController()
    const stop = clock.after(walletLimits.frameReadyImperativeMs, () =>
      late.abort(new LatchkeyError('frame_unresponsive', 'No wallet frame waits for this window')),
    )
    try {
      frame = await ports.findFrame(late.signal)
      request = await frame.begin()
      showRequest()
      watchFrame(clock, { isGone: frame.isGone, isOver: () => isOver, onGone: loseFrame })
    } catch {
      end({ status: 'alone' })
    } finally {
      stop()
    }
  }

  function loseFrame() {
    if (!isOver) end({ status: 'alone' })
  }

  function end(state: WindowState) {
    isOver = true
    input = undefined
    signIn?.stop()
    password = ''
    approval?.reject(new LatchkeyError('user_rejected_request', 'The window ended before the user approved'))
    show(state)
  }

  const needsApproval = ({ address, purpose }: RecoveryRequest) => address !== null && purpose !== 'recover'
  const toConfirmed = ({ address }: RecoveryRequest): Confirmed => ({ address: address ?? '' })

  /** Shows the first screen of the method, or the screen for another try. */
  function showRequest(problem?: Problem) {
    if (!request) return
    const { method, purpose } = request
    const code = problem && { problem }
    if (method === 'passkey') return show({ status: 'passkey', purpose, isCreated: isCreated(), ...code })
    if (isCloud(method)) return void prepareSignIn(method, purpose)
    if (purpose === 'recover') return show({ status: 'password', purpose, ...code })
    if (problem) return finalize(problem)
    show({ status: 'wizard', purpose, step: { type: 'creating', password: '' } })
  }

  function finalize(problem?: Problem) {
    if (!request) return
    const { purpose } = request
    const confirm = approval ? toConfirmed(request) : null
    const step = { type: 'finalizing', isGated: needsApproval(request), confirm } as const
    show({ status: 'wizard', purpose, step, ...(problem && { problem }) })
  }

  const isCreated = () => createdPasskey !== undefined && clock.nowMs() < createdPasskey.untilMs

  /** Submits the input. The vault may request it several times; the frame returns the outcome. */
  async function give(newPasskey?: CreatedPasskey['attestation']) {
    if (!frame || !request || isSubmitting || isOver) return
    isSubmitting = true
    try {
      settle(await frame.give(newPasskey ? { newPasskey } : {}))
    } catch {
      end({ status: 'alone' })
    } finally {
      isSubmitting = false
    }
  }

  function settle(outcome: Outcome) {
    if (!request || isOver) return
    const { method, purpose } = request
    switch (outcome.type) {
      case 'done':
        end({ status: 'done', method, purpose })
        clock.after(dialogLimits.successCloseMs, closeWindow)
        return
      case 'again':
        approval = undefined
        request = { ...request, ...(outcome.passkey && { passkey: outcome.passkey }) }
        return showRequest(toProblem(outcome.problem))
      case 'over':
        end({ status: 'over', method, problem: toProblem(outcome.problem) })
        // The card shows the reason and starts again.
        if (isCloud(method)) clock.after(dialogLimits.successCloseMs, closeWindow)
        return
      default:
        return outcome satisfies never
    }
  }

  async function prepareSignIn(cloud: CloudRecovery, purpose: RecoveryWindowPurpose) {
    show({ status: 'cloud', cloud, purpose, step: 'preparing' })
    try {
      openSignIn = frame && (await prepareCloud[cloud](browser, frame.address))
      if (!isOver) show({ status: 'cloud', cloud, purpose, step: 'asking' })
    } catch (error) {
      refuse(error)
    }
  }

  /** Ends the window after a failed sign-in. The card shows the reason and starts again. */
  function refuse(error: unknown) {
    if (isOver) return
    const { code } = toLatchkeyError(error, 'oauth_unexpected', '')
    const refusal = cloudRefusals.find((one) => one === code) ?? 'oauth_unexpected'
    const { method } = request ?? {}
    frame?.refuse(refusal).catch(() => {})
    if (method) end({ status: 'over', method, problem: { code: refusal } })
    clock.after(dialogLimits.successCloseMs, closeWindow)
  }

  async function receiveSignIn(opened: CloudWindow) {
    let cloud: CloudSignIn
    try {
      cloud = await opened.result
    } catch (error) {
      // An error counts only for the sign-in window that is open now.
      if (signIn === opened) refuse(error)
      return
    }
    if (signIn !== opened || isOver) return
    signIn = undefined
    input = { by: 'cloud', cloud }
    show({ status: 'working' })
    await give()
  }

  function watchSignIn(opened: CloudWindow, state: Extract<WindowState, { status: 'cloud' }>) {
    clock.after(oauthLimits.closedCheckMs, () => {
      if (signIn !== opened || isOver) return
      if (opened.isClosed()) return show({ ...state, step: 'closed' })
      watchSignIn(opened, state)
    })
  }

  async function provePasskey() {
    const { passkey, purpose } = request ?? {}
    if (!passkey || isSubmitting || isOver) return
    show({ status: 'prompt' })
    try {
      const isNew = purpose !== 'recover' && !isCreated()
      if (purpose === 'recover') {
        const { assertion, secret } = await authenticator.get(passkey.options, passkey.salt)
        if (!secret) throw notCapable()
        input = { by: 'passkey', secret, named: { authenticatorResponse: assertion } }
      } else {
        input = { by: 'passkey', ...(await newPasskey(passkey)) }
      }
      if (isOver) return
      show({ status: 'working' })
      await give(isNew ? createdPasskey?.attestation : undefined)
    } catch (error) {
      if (!isOver) showRequest({ code: error instanceof LatchkeyError ? error.code : 'error' })
    }
  }

  /** Creates the passkey once, even if reading its secret takes several tries. */
  async function newPasskey({ options }: NonNullable<RecoveryRequest['passkey']>) {
    if (!createdPasskey || !isCreated()) {
      const fresh = await authenticator.create(options)
      if (!fresh.isAble) throw notCapable()
      createdPasskey = { ...fresh, untilMs: clock.nowMs() + recoveryPasskeyLimits.unusedSeconds * 1_000 }
    }
    const { credentialId } = createdPasskey
    const secret =
      createdPasskey.secret ??
      (await authenticator.get(createAssertionOptions(createdPasskey, hostname), createdPasskey.salt)).secret
    if (!secret) {
      createdPasskey = undefined
      throw notCapable()
    }
    createdPasskey = { ...createdPasskey, secret }
    return { secret, named: { credentialId } }
  }

  return {
    start,
    enter(typed) {
      if (isSubmitting || isOver) return
      input = { by: 'password', password: typed }
      show({ status: 'working' })
      void give()
    },
    go(step, typed) {
      if (!request || isSubmitting || isOver) return
      password = typed
      if (step === 'finalizing') return finalize()
      show({ status: 'wizard', purpose: request.purpose, step: { type: step, password: typed } })
    },
    understand() {
      // The approval expires after minutes, which must not start while the user still writes the password
      // down.
      if (!request || !needsApproval(request) || isSubmitting || isOver) return
      input = { by: 'password', password }
      void give()
    },
    approve() {
      if (!request || isOver) return
      if (needsApproval(request)) {
        if (!approval) return
        show({ status: 'working' })
        approval.resolve()
        return
      }
      input = { by: 'password', password }
      show({ status: 'working' })
      void give()
    },
    askPasskey: () => void provePasskey(),
    openCloud() {
      const { method, purpose } = request ?? {}
      if (!openSignIn || !method || !purpose || !isCloud(method) || isSubmitting || isOver) return
      const cloudWindow = openSignIn()
      const state = { status: 'cloud', cloud: method, purpose } as const
      if (!cloudWindow) return show({ ...state, step: 'blocked' })
      const previous = signIn
      signIn = cloudWindow
      previous?.stop()
      show({ ...state, step: 'open' })
      void receiveSignIn(cloudWindow)
      watchSignIn(cloudWindow, { ...state, step: 'open' })
    },
    async seal({ vaultKey, operation }) {
      switch (input?.by) {
        case 'password': {
          const typed = new TextEncoder().encode(input.password.normalize('NFKC'))
          return {
            password: await withSecret(new Uint8Array(typed), (bytes) =>
              sealPassword(vaultKey, bytes, operation),
            ),
          }
        }
        case 'passkey': {
          const { secret, named } = input
          const sealed = await withSecret(deriveSecret(secret), (bytes) =>
            sealPasskeySecret(vaultKey, bytes, operation),
          )
          return { passkey: { secret: sealed, ...named } }
        }
        case 'cloud':
        case undefined:
          throw new LatchkeyError('not_found', 'The user has entered no secret here')
        default:
          return input satisfies never
      }
    },
    async fromCloud() {
      if (input?.by === 'cloud') return input.cloud
      throw new LatchkeyError('not_found', 'No cloud sign-in has completed here')
    },
    async confirm({ digest }) {
      if (!request || !input || !needsApproval(request) || digest !== (await createDigest(request))) {
        throw new LatchkeyError('invalid_data', 'The digest does not match what this window shows')
      }
      // The window may have ended while the digest was computed.
      if (isOver) throw new LatchkeyError('not_found', 'This window asks for no approval any more')
      approval = Promise.withResolvers()
      const { method } = request
      if (method === 'user-passcode') finalize()
      else show({ status: 'approve', method, confirm: toConfirmed(request) })
      await approval.promise
      return {}
    },
    lose: loseFrame,
  }
}

/** Returns the digest of the displayed data. It uses no other input. */
const createDigest = async ({ address, method }: RecoveryRequest): Promise<string | undefined> =>
  address === null ? undefined : actionDigest({ method: 'set-recovery', params: [address, method] })

const isCloud = (method: RecoveryRequest['method']): method is CloudRecovery =>
  cloudRecoveries.some((cloud) => cloud === method)

const toProblem = ({ code, retryAfterSeconds }: ReportedRecoveryProblem): Problem => ({
  code,
  ...(code === 'too_many_requests' && { minutes: Math.max(1, Math.ceil((retryAfterSeconds ?? 60) / 60)) }),
})

const notCapable = () => new LatchkeyError('not_supported', 'This passkey does not support the PRF extension')
