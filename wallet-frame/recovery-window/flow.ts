/**
 * The window in which a user gives what keeps their wallet. It asks them, holds what they gave until a vault has it,
 * sealed, and says what came of it. Whoever closes it has given nothing.
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
  type AddressOf,
  type CloudBrowser,
  type CloudWindow,
  type OpenCloud,
  prepareCloud,
} from './cloud-window.ts'
import type { Asked, Outcome } from './contract.ts'
import { type Authenticator, type CreatedPasskey, derivedSecret, optionsOfCreated } from './passkey.ts'

type CloudRefusal = (typeof cloudRefusals)[number]

/** The wallet frame, as this window reaches it. */
export type Frame = {
  begin: () => Promise<Asked>
  give: (given: { newPasskey?: CreatedPasskey['attestation'] }) => Promise<Outcome>
  address: AddressOf
  /** The cloud gave nothing, which the card tells the user. */
  refuse: (code: CloudRefusal) => Promise<unknown>
  /** The page around it was closed, or went elsewhere. */
  isGone: () => boolean
}

export type FlowPorts = {
  clock: Clock
  /** Throws where there is no card that asked. */
  findFrame: (signal: AbortSignal) => Promise<Frame>
  authenticator: Authenticator
  browser: CloudBrowser
  /** The hostname of this page, which is the relying party of its passkeys. */
  hostname: string
  show: (state: WindowState) => void
  closeWindow: () => void
}

/** The problem of the last try. `minutes` says how long the user has to wait for the next one. */
export type Problem = { code: string; minutes?: number }

/** What its user is asked to say yes to, in so many words. */
export type Confirmed = { address: string }

type Asking = { purpose: RecoveryWindowPurpose; problem?: Problem }
export type PasswordStep =
  | { at: 'creating' | 'saving' | 'confirming'; password: string }
  /** `confirm`: the button is to be pressed as an approval is; null until it is known what for. */
  | { at: 'finalizing'; isGated: boolean; confirm: Confirmed | null }

export type WindowState =
  | { status: 'opening' | 'prompt' | 'working' }
  | { status: 'done'; method: Asked['method']; purpose: RecoveryWindowPurpose }
  /** No card that asked is to be reached from here. */
  | { status: 'alone' }
  /** The window cannot go on, so the user starts again in the app. */
  | { status: 'over'; method: Asked['method']; problem: Problem }
  | ({ status: 'password' } & Asking & { purpose: 'recover' })
  | ({ status: 'wizard'; step: PasswordStep } & Asking)
  | ({ status: 'passkey'; isCreated: boolean } & Asking)
  | ({
      status: 'cloud'
      cloud: CloudRecovery
      /** `preparing`: the press has nothing to open yet. A window that reads as closed may be open. */
      step: 'preparing' | 'asking' | 'blocked' | 'open' | 'closed'
    } & Pick<Asking, 'purpose'>)
  /** What was given is there; whether it is to keep the wallet is for its user to say. */
  | { status: 'approve'; method: Asked['method']; confirm: Confirmed }

export type WindowFlow = {
  start: () => Promise<void>
  /** A password that brings the wallet back. */
  enter: (password: string) => void
  /** Goes to a step of the wizard. */
  go: (step: 'creating' | 'saving' | 'confirming' | 'finalizing', password: string) => void
  /** The user has understood what a lost password means, or no longer says so. */
  understand: () => void
  /** The last press: sets the password, or the passkey. */
  approve: () => void
  /** Must run inside the press, because the device asks for the passkey. */
  askPasskey: () => void
  /** Must run inside the press, because it opens the cloud's own sign-in. */
  openCloud: () => void
  seal: (to: { vaultKey: string; operation: OperationStep }) => Promise<Sealed>
  fromCloud: () => Promise<CloudSignIn>
  /** The vault is to sign that this keeps the wallet. */
  confirm: (asked: { digest: string }) => Promise<Readonly<Record<never, never>>>
  /** The frame is gone. */
  lose: () => void
}
type Sealed = {
  password?: SealedShare
  passkey?: RecoveryPasskeyAnswer
}

type Given =
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
  let asked: Asked | undefined
  let given: Given | undefined
  let created: (CreatedPasskey & { untilMs: number }) | undefined
  /** The wizard's, before it is given. */
  let password = ''
  let approval: PromiseWithResolvers<void> | undefined
  let openSignIn: OpenCloud | undefined
  let signIn: CloudWindow | undefined
  let isGiving = false
  let isOver = false

  async function start() {
    show({ status: 'opening' })
    const late = new AbortController()
    const stop = clock.after(walletLimits.frameReadyImperativeMs, () =>
      late.abort(new LatchkeyError('frame_unresponsive', 'No wallet frame waits for this window')),
    )
    try {
      frame = await ports.findFrame(late.signal)
      asked = await frame.begin()
      ask()
      watchFrame(clock, { isGone: frame.isGone, isOver: () => isOver, onGone: lose })
    } catch {
      end({ status: 'alone' })
    } finally {
      stop()
    }
  }

  function lose() {
    if (!isOver) end({ status: 'alone' })
  }

  function end(state: WindowState) {
    isOver = true
    given = undefined
    signIn?.stop()
    password = ''
    approval?.reject(new LatchkeyError('user_rejected_request', 'It was not said'))
    show(state)
  }

  const isConfirmed = ({ address, purpose }: Asked) => address !== null && purpose !== 'recover'
  const confirmedOf = ({ address }: Asked): Confirmed => ({ address: address ?? '' })

  /** The first screen of what is asked for, or the same after a try. */
  function ask(problem?: Problem) {
    if (!asked) return
    const { method, purpose } = asked
    const told = problem && { problem }
    if (method === 'passkey') return show({ status: 'passkey', purpose, isCreated: isCreated(), ...told })
    if (isCloud(method)) return void prepareSignIn(method, purpose)
    if (purpose === 'recover') return show({ status: 'password', purpose, ...told })
    if (problem) return finalize(problem)
    show({ status: 'wizard', purpose, step: { at: 'creating', password: '' } })
  }

  function finalize(problem?: Problem) {
    if (!asked) return
    const { purpose } = asked
    const confirm = approval ? confirmedOf(asked) : null
    const step = { at: 'finalizing', isGated: isConfirmed(asked), confirm } as const
    show({ status: 'wizard', purpose, step, ...(problem && { problem }) })
  }

  const isCreated = () => created !== undefined && clock.nowMs() < created.untilMs

  /** What the user gave is asked for by the vault, as often as it takes; the frame says what came of it. */
  async function give(newPasskey?: CreatedPasskey['attestation']) {
    if (!frame || !asked || isGiving || isOver) return
    isGiving = true
    try {
      settle(await frame.give(newPasskey ? { newPasskey } : {}))
    } catch {
      end({ status: 'alone' })
    } finally {
      isGiving = false
    }
  }

  function settle(outcome: Outcome) {
    if (!asked || isOver) return
    const { method, purpose } = asked
    switch (outcome.type) {
      case 'done':
        end({ status: 'done', method, purpose })
        clock.after(dialogLimits.successCloseMs, closeWindow)
        return
      case 'again':
        approval = undefined
        asked = { ...asked, ...(outcome.passkey && { passkey: outcome.passkey }) }
        return ask(problemOf(outcome.problem))
      case 'over':
        end({ status: 'over', method, problem: problemOf(outcome.problem) })
        // The card says why, and begins anew.
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

  /** The card says why, and begins anew. */
  function refuse(error: unknown) {
    if (isOver) return
    const { code } = toLatchkeyError(error, 'oauth_unexpected', '')
    const told = cloudRefusals.find((one) => one === code) ?? 'oauth_unexpected'
    const { method } = asked ?? {}
    frame?.refuse(told).catch(() => {})
    if (method) end({ status: 'over', method, problem: { code: told } })
    clock.after(dialogLimits.successCloseMs, closeWindow)
  }

  async function receiveSignIn(opened: CloudWindow) {
    let cloud: CloudSignIn
    try {
      cloud = await opened.given
    } catch (error) {
      // An error counts only for the sign-in window that is open now.
      if (signIn === opened) refuse(error)
      return
    }
    if (signIn !== opened || isOver) return
    signIn = undefined
    given = { by: 'cloud', cloud }
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
    const { passkey, purpose } = asked ?? {}
    if (!passkey || isGiving || isOver) return
    show({ status: 'prompt' })
    try {
      const isNew = purpose !== 'recover' && !isCreated()
      if (purpose === 'recover') {
        const { assertion, secret } = await authenticator.get(passkey.options, passkey.salt)
        if (!secret) throw unable()
        given = { by: 'passkey', secret, named: { authenticatorResponse: assertion } }
      } else {
        given = { by: 'passkey', ...(await newPasskey(passkey)) }
      }
      if (isOver) return
      show({ status: 'working' })
      await give(isNew ? created?.attestation : undefined)
    } catch (error) {
      if (!isOver) ask({ code: error instanceof LatchkeyError ? error.code : 'error' })
    }
  }

  /** Creates the passkey once, even if reading its secret takes several tries. */
  async function newPasskey({ options }: NonNullable<Asked['passkey']>) {
    if (!created || !isCreated()) {
      const fresh = await authenticator.create(options)
      if (!fresh.isAble) throw unable()
      created = { ...fresh, untilMs: clock.nowMs() + recoveryPasskeyLimits.unusedSeconds * 1_000 }
    }
    const { credentialId } = created
    const secret =
      created.secret ?? (await authenticator.get(optionsOfCreated(created, hostname), created.salt)).secret
    if (!secret) {
      created = undefined
      throw unable()
    }
    created = { ...created, secret }
    return { secret, named: { credentialId } }
  }

  return {
    start,
    enter(typed) {
      if (isGiving || isOver) return
      given = { by: 'password', password: typed }
      show({ status: 'working' })
      void give()
    },
    go(step, typed) {
      if (!asked || isGiving || isOver) return
      password = typed
      if (step === 'finalizing') return finalize()
      show({ status: 'wizard', purpose: asked.purpose, step: { at: step, password: typed } })
    },
    understand() {
      // The minutes in which it may be approved begin now, and not while a password is being written down.
      if (!asked || !isConfirmed(asked) || isGiving || isOver) return
      given = { by: 'password', password }
      void give()
    },
    approve() {
      if (!asked || isOver) return
      if (isConfirmed(asked)) {
        if (!approval) return
        show({ status: 'working' })
        approval.resolve()
        return
      }
      given = { by: 'password', password }
      show({ status: 'working' })
      void give()
    },
    askPasskey: () => void provePasskey(),
    openCloud() {
      const { method, purpose } = asked ?? {}
      if (!openSignIn || !method || !purpose || !isCloud(method) || isGiving || isOver) return
      const opened = openSignIn()
      const state = { status: 'cloud', cloud: method, purpose } as const
      if (!opened) return show({ ...state, step: 'blocked' })
      const before = signIn
      signIn = opened
      before?.stop()
      show({ ...state, step: 'open' })
      void receiveSignIn(opened)
      watchSignIn(opened, { ...state, step: 'open' })
    },
    async seal({ vaultKey, operation }) {
      switch (given?.by) {
        case 'password': {
          const typed = new TextEncoder().encode(given.password.normalize('NFKC'))
          return {
            password: await withSecret(new Uint8Array(typed), (bytes) =>
              sealPassword(vaultKey, bytes, operation),
            ),
          }
        }
        case 'passkey': {
          const { secret, named } = given
          const sealed = await withSecret(derivedSecret(secret), (bytes) =>
            sealPasskeySecret(vaultKey, bytes, operation),
          )
          return { passkey: { secret: sealed, ...named } }
        }
        case 'cloud':
        case undefined:
          throw new LatchkeyError('not_found', 'No secret was given here')
        default:
          return given satisfies never
      }
    },
    async fromCloud() {
      if (given?.by === 'cloud') return given.cloud
      throw new LatchkeyError('not_found', 'No cloud has said anything here')
    },
    async confirm({ digest }) {
      if (!asked || !given || !isConfirmed(asked) || digest !== (await digestOf(asked))) {
        throw new LatchkeyError('invalid_data', 'What was asked for is not what is shown here')
      }
      // Making the digest takes a moment, in which this window may have ended.
      if (isOver) throw new LatchkeyError('not_found', 'Nobody is asked for this any more')
      approval = Promise.withResolvers()
      const { method } = asked
      if (method === 'user-passcode') finalize()
      else show({ status: 'approve', method, confirm: confirmedOf(asked) })
      await approval.promise
      return {}
    },
    lose,
  }
}

/** Made of what this window shows, and of nothing that it was told of it. */
const digestOf = async ({ address, method }: Asked): Promise<string | undefined> =>
  address === null ? undefined : actionDigest({ method: 'set-recovery', params: [address, method] })

const isCloud = (method: Asked['method']): method is CloudRecovery =>
  cloudRecoveries.some((cloud) => cloud === method)

const problemOf = ({ code, retryAfterSeconds }: ReportedRecoveryProblem): Problem => ({
  code,
  ...(code === 'too_many_requests' && { minutes: Math.max(1, Math.ceil((retryAfterSeconds ?? 60) / 60)) }),
})

const unable = () => new LatchkeyError('not_supported', 'This passkey gives nothing that could keep a wallet')
