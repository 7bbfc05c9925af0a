/**
 * Signs what a host asks for after the user saw it. The card is there at once, from the address that is known, and connects
 * the wallet while it is read; a device that has no share is given one first. What is signed is what was shown.
 */
import {
  type ChainType,
  dialogLimits,
  embeddedWallet,
  LatchkeyError,
  type WalletAccount,
  walletLimits,
} from '@latchkey/protocol'
import { noNames } from '@latchkey/protocol/reading'
import {
  type Confirming,
  confirmingHandlers,
  isForPage,
  type PuttingAsker,
  requestConfirmed,
} from '../../approval/confirmed.ts'
import { isExpiry, isRefusal, rejectedError, unableToSign } from '../../approval/rejection.ts'
import { verificationProblem } from '../../approval/verification-problem.ts'
import type { Cancellable } from '../../browser/waiting.ts'
import type { CapabilityPorts } from '../../contract/capability.ts'
import { done, type FlowHandle, failed, type RunningFlow } from '../../flow/flow.ts'
import { type Handlers, screen } from '../../flow/screen.ts'
import { requireUser } from '../../host/require-user.ts'
import { maySignSilently } from '../../host/settings.ts'
import type { Confirmed } from '../../wallet/confirmed.ts'
import { createWalletCalls } from '../../wallet/wallet-obstacles.ts'
import type { Signed, SignRequest } from './request.ts'
import type { RequestEvents, RequestStep, ShownRequest } from './request-screen.tsx'
import { connectingScreen, requestScreen } from './screens.ts'
import { shownRequest } from './shown-request.ts'
import { english } from './texts.arb'
import { blockedError, type ToSign } from './to-sign.ts'

export function createSignFlow(
  ports: CapabilityPorts,
  request: SignRequest,
  toSign: ToSign,
  handle: FlowHandle<Signed>,
): RunningFlow<Signed> {
  let signing: Signing | undefined
  return {
    kind: 'approval',
    async run() {
      const account = await requireWallet(ports, toSign.signer.chain, handle)
      const settings = ports.settings()
      const shown = shownRequest(
        {
          ui: request.ui,
          content: toSign.content,
          address: account.address,
          origin: settings.hostOrigin,
          requester: request.relayed?.requester,
        },
        settings,
      )
      if (toSign.blocked) return block(ports, handle, shown, toSign.blocked)
      signing = createSigning(ports, handle, account, shown, {
        ...toSign,
        window: request.window,
        relayed: request.relayed,
      })
      const attempted = signing.begin()
      ports.analytics(toSign.started)
      await attempted
    },
    onClose: () => failed(signing?.errorOfClose() ?? rejectedError()),
  }
}

/** The caller hears at once; the user reads why, and closes. */
function block(
  { analytics }: CapabilityPorts,
  handle: FlowHandle<Signed>,
  shown: ShownRequest,
  why: NonNullable<ToSign['blocked']>,
): void {
  analytics('possible_phishing_attempt')
  handle.settle(failed(blockedError(why)))
  const handlers = {
    ...confirmingHandlers(() => undefined),
    retry: () => {},
    leave: () => handle.end(),
  }
  handle.replace(screen(requestScreen, { ...shown, status: 'blocked', why }, handlers))
}

async function requireWallet(
  ports: CapabilityPorts,
  chain: ChainType,
  asker: Cancellable,
): Promise<WalletAccount> {
  const account = embeddedWallet(await requireUser(ports, asker), chain)
  if (!account) throw new LatchkeyError('embedded_wallet_not_found', 'The user has no wallet to sign with')
  return account
}

const connectingView = () => screen(connectingScreen, {}, {})

/** Where it stands. `error` is what the caller gets of a failure that the user leaves at that. */
type Phase =
  | { readonly at: 'connecting' }
  | { readonly at: 'review'; readonly confirming: Confirming }
  | { readonly at: 'signing' }
  | { readonly at: 'failed'; readonly error: LatchkeyError }

type Signing = {
  /** Without a screen where the app and its server allow that; else as an attempt. */
  readonly begin: () => Promise<void>
  readonly errorOfClose: () => LatchkeyError
}

function createSigning(
  { wallet, remedies, analytics, clock, confirmOnPage, settings }: CapabilityPorts,
  handle: FlowHandle<Signed>,
  account: WalletAccount,
  asked: ShownRequest,
  toSign: ToSign & Pick<SignRequest, 'window' | 'relayed'>,
): Signing {
  const { address } = account
  const { signer, relayed } = toSign
  const requester = relayed?.requester
  const request = toSign.request(address)
  const callWallet = createWalletCalls(remedies)
  let shown = asked
  let phase: Phase = { at: 'connecting' }
  /** For the first try: it is closed after that. */
  let { window } = toSign

  function show(step: RequestStep) {
    const view = screen(requestScreen, { ...shown, ...step }, handlers)
    if (handle.isAt(requestScreen)) handle.update(view)
    else handle.replace(view)
  }
  const handlers: Handlers<RequestEvents> = {
    ...confirmingHandlers(() => (phase.at === 'review' ? phase.confirming : undefined)),
    retry: () => phase.at === 'failed' && void attempt(),
    leave: () => {},
  }

  async function begin() {
    if (requester || !maySignSilently(settings())) return attempt()
    let confirmed: Confirmed | undefined
    try {
      confirmed = await wallet.confirm(address, request, { signal: handle.signal, place: 'silent' })
    } catch {
      // What is wrong is found again, and said, where the user is asked.
      return attempt()
    }
    if (confirmed.place !== 'silent') return attempt(confirmed)
    try {
      await connect()
      const signature = await sign(confirmed)
      handle.settle(done({ signature, address }))
      analytics(toSign.completed)
      handle.end()
    } catch (error) {
      // What nobody had to be asked for was used up meanwhile.
      if (isForPage(error)) return attempt()
      handle.end(failed(unableToSign(error, english.problems.failed)))
    }
  }

  /** `known`: what the server has said of it already. */
  async function attempt(known?: Confirmed) {
    let confirmed: Confirmed
    try {
      const connection = connect()
      confirmed = await Promise.race([review(known), failureOf(connection)])
      // It is not signed yet, but it is out of the user's hands.
      phase = { at: 'signing' }
      show({ status: 'signing' })
      await connectedOrNamed(connection)
    } catch (error) {
      return fail(error, problemOf(error) ?? english.problems.unable)
    }
    try {
      succeed(await sign(confirmed))
    } catch (error) {
      // The allowance of the day was used up meanwhile: what is put anew goes to the page.
      if (confirmed.place !== 'page' && isForPage(error)) return attempt()
      fail(error, problemOf(error) ?? english.problems.failed)
    }
  }

  /** Never where the wallet connects, which the user may approve before. */
  const failureOf = (connection: Promise<void>) => connection.then(() => new Promise<never>(() => {}))

  /** The card that is read stays; what it waits for is named once nothing else is left to be waited for. */
  async function connectedOrNamed(connection: Promise<void>) {
    const stop = handle.after(dialogLimits.progressAfterMs, () => handle.replace(connectingView()))
    await connection.finally(stop)
  }

  const connect = (): Promise<void> => {
    let isTried = false
    return callWallet({
      event: signer.events.connect,
      account,
      card: handle,
      async call() {
        // A device that was just given its share holds it.
        if (isTried) return
        isTried = true
        await signer.connect(wallet, address, handle)
      },
    })
  }

  function review(known: Confirmed | undefined): Promise<Confirmed> {
    let given = known
    async function put(asker: PuttingAsker) {
      const confirmed =
        given ?? (await wallet.confirm(address, request, { signal: handle.signal, requester, ...asker }))
      given = undefined
      shown = { ...shown, names: confirmed.names ?? noNames }
      wallet.prepareSign(address, { signal: handle.signal, confirmation: confirmed })
      return confirmed
    }
    const putting = {
      kind: requester ? ('page' as const) : toSign.approval,
      put,
      clock,
      card: handle,
      confirmOnPage,
      window,
    }
    window = undefined
    const confirming = requestConfirmed(putting, (approval) => {
      if (phase.at === 'review' && phase.confirming === confirming) show({ status: 'review', approval })
    })
    phase = { at: 'review', confirming }
    show({ status: 'review', approval: confirming.shown() })
    return confirming.outcome
  }

  const sign = (confirmation: Confirmed): Promise<string> =>
    callWallet({
      event: signer.events.sign,
      account,
      card: handle,
      call: (verification) =>
        toSign.sign(wallet, address, { signal: handle.signal, verification, confirmation }),
    })

  function succeed(signature: string) {
    if (handle.signal.aborted) return
    handle.settle(done({ signature, address }))
    analytics(toSign.completed)
    show({ status: 'success' })
    void handle.hold(walletLimits.signSuccessCloseMs).then(() => handle.end())
  }

  function fail(cause: unknown, problem: string) {
    if (isRefusal(cause)) return handle.end(failed(cause))
    const error = unableToSign(cause, problem)
    const ofVerification = verificationProblem(error)
    phase = { at: 'failed', error }
    show({ status: 'failed', problem: ofVerification ? english.problems[ofVerification] : problem })
  }

  return {
    begin,
    errorOfClose: () => (phase.at === 'failed' ? phase.error : rejectedError()),
  }
}

const problemOf = (error: unknown): string | undefined =>
  isExpiry(error) ? english.problems.expired : undefined
