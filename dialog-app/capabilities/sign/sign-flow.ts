/**
 * Signs what a host asks for after the user saw it. The card is there at once, from the address that is known, and connects
 * the wallet while it is read; a device that has no share is given one first. What is signed is what was shown.
 * `sign-state.ts` decides what comes next; this does it.
 */
import {
  type ChainType,
  dialogLimits,
  findEmbeddedWallet,
  LatchkeyError,
  type SignUi,
  type WalletAccount,
  walletLimits,
} from '@latchkey/protocol'
import { noAssetNames } from '@latchkey/protocol/reading'
import type { RelayedRequester } from '@latchkey/protocol/wallet'
import { confirmationHandlers, type PutOptions, requestConfirmation } from '../../approval/confirmed.ts'
import type { Cancellable } from '../../browser/waiting.ts'
import type { CapabilityPorts } from '../../contract/capability.ts'
import type { FlowHandle, RunningFlow } from '../../flow/flow.ts'
import { createMachine, partOf } from '../../flow/machine.ts'
import { type Handlers, type ScreenToShow, screen } from '../../flow/screen.ts'
import { requireUser } from '../../host/require-user.ts'
import { appName, isDrawable, maySignSilently, type Settings } from '../../host/settings.ts'
import type { ConfirmedRequest } from '../../wallet/confirmed.ts'
import { createWalletCalls } from '../../wallet/wallet-obstacles.ts'
import type { RequestEvents, RequestStep, ShownRequest } from './request-screen.tsx'
import { connectingScreen, requestScreen } from './screens.ts'
import {
  endingOfClose,
  type SignEffect,
  type SignEvent,
  type SignPhase,
  type SignState,
  signStep,
  unsignedState,
} from './sign-state.ts'
import type { ShownContent, Signed, SignRequest, ToSign } from './to-sign.ts'

type Effect<Type extends SignEffect['type']> = Extract<SignEffect, { type: Type }>

export function createSignFlow(
  ports: CapabilityPorts,
  { ui, window, relayed }: SignRequest,
  toSign: ToSign,
  handle: FlowHandle<Signed>,
): RunningFlow<Signed> {
  const { wallet, analytics, clock, confirmOnPage, settings } = ports
  const { signal } = handle
  const { signer } = toSign
  const requester = relayed?.requester
  const callWallet = createWalletCalls(ports.remedies)

  const machine = createMachine<SignState, SignEvent, SignEffect>({
    initial: unsignedState({
      window,
      mayBeSilent: !requester && toSign.approval !== 'page' && maySignSilently(settings()),
    }),
    step: signStep,
    draw: ({ phase }) => draw(phase),
    ...partOf(handle),
    effects: {
      'find wallet': findWallet,
      async 'confirm silently'({ account: { address } }) {
        const asker = { signal, place: 'silent' } as const
        const confirmed = await wallet.confirm(address, toSign.request(address), asker).catch(() => undefined)
        return { type: 'answered silently', confirmed }
      },
      'sign silently': ({ account, confirmed }) =>
        signing(async () => {
          await connect(account)
          return sign(account, confirmed)
        }),
      async connect({ account, attempt }) {
        try {
          await connect(account)
          return { type: 'connected', attempt }
        } catch (cause) {
          return { type: 'not connected', attempt, cause }
        }
      },
      put,
      'watch for slowness': ({ attempt }) =>
        void handle.after(dialogLimits.progressAfterMs, () => machine.send({ type: 'slow', attempt })),
      sign: ({ account, confirmed }) => signing(() => sign(account, confirmed)),
      track: ({ what }) => analytics(what === 'completed' ? toSign.completed : what),
      hold: () => handle.hold(walletLimits.signSuccessCloseMs).then(() => handle.end()),
      settle: ({ ending }) => handle.settle(ending),
      end: ({ ending }) => handle.end(ending),
    },
  })

  const handlers: Handlers<RequestEvents> = {
    ...confirmationHandlers(() => {
      const { phase } = machine.state()
      return phase.at === 'review' ? phase.confirming : undefined
    }),
    retry: () => machine.send({ type: 'retry' }),
    leave: () => machine.state().phase.at === 'blocked' && handle.end(),
  }
  function draw(phase: SignPhase) {
    const step = stepOf(phase)
    if (step === undefined) return
    const view: ScreenToShow =
      step === 'connecting'
        ? screen(connectingScreen, {}, {})
        : screen(requestScreen, { ...step.shown, ...step.step }, handlers)
    if (handle.isAt(view)) handle.update(view)
    else handle.replace(view)
  }

  async function findWallet(): Promise<void> {
    const account = await requireWallet(ports, signer.chain, handle)
    const { content, blocked } = toSign
    const { hostOrigin: origin } = settings()
    const shown = shownRequest({ ui, content, address: account.address, origin, requester }, settings())
    machine.send({ type: 'found', account, shown, blocked })
    // The card has opened by then, which is told first.
    if (!blocked) analytics(toSign.started)
  }

  async function connect(account: WalletAccount): Promise<void> {
    let isTried = false
    await callWallet({
      event: signer.events.connect,
      account,
      card: handle,
      async call() {
        // A device that was just given its share holds it.
        if (isTried) return
        isTried = true
        await signer.connect(wallet, account.address, handle)
      },
    })
  }

  function put({ account: { address }, known, window: opened }: Effect<'put'>): void {
    const request = toSign.request(address)
    const answered = known ? [known] : []
    const confirming = requestConfirmation(
      {
        kind: requester ? 'page' : toSign.approval,
        async put(asker: PutOptions) {
          const confirmation =
            answered.pop() ?? (await wallet.confirm(address, request, { signal, requester, ...asker }))
          machine.send({ type: 'named', names: confirmation.names })
          wallet.prepareSign(address, { signal, confirmation })
          return confirmation
        },
        clock,
        card: handle,
        confirmOnPage,
        window: opened,
      },
      (approval) => machine.send({ type: 'approval changed', confirming, approval }),
    )
    machine.send({ type: 'put', confirming, approval: confirming.shown() })
    confirming.outcome.then(
      (confirmed) => machine.send({ type: 'approved', confirming, confirmed }),
      (cause: unknown) => machine.send({ type: 'not approved', confirming, cause }),
    )
  }

  const sign = (account: WalletAccount, confirmation: ConfirmedRequest): Promise<string> =>
    callWallet({
      event: signer.events.sign,
      account,
      card: handle,
      call: (verification) => toSign.sign(wallet, account.address, { signal, verification, confirmation }),
    })

  async function signing(run: () => Promise<string>): Promise<SignEvent> {
    try {
      return { type: 'signed', signature: await run() }
    } catch (cause) {
      return { type: 'not signed', cause }
    }
  }

  return {
    kind: 'approval',
    run: () => machine.send({ type: 'begin' }),
    onClose: () => endingOfClose(machine.state()),
  }
}

async function requireWallet(
  ports: CapabilityPorts,
  chain: ChainType,
  caller: Cancellable,
): Promise<WalletAccount> {
  const account = findEmbeddedWallet(await requireUser(ports, caller), chain)
  if (!account) throw new LatchkeyError('embedded_wallet_not_found', 'The user has no wallet to sign with')
  return account
}

type Review = { shown: Extract<SignPhase, { at: 'review' }>['shown']; step: RequestStep }

/** What is seen of a phase. Nothing new is seen of one that is silent, or on its way to the user. */
function stepOf(phase: SignPhase): Review | 'connecting' | undefined {
  switch (phase.at) {
    case 'finding wallet':
    case 'confirming silently':
    case 'signing silently':
    case 'putting':
      return undefined
    case 'blocked':
      return { shown: phase.shown, step: { status: 'blocked', why: phase.why } }
    case 'review':
      return { shown: phase.shown, step: { status: 'review', approval: phase.approval } }
    case 'connecting':
    case 'signing':
      // What it waits for is named once nothing else is left to be waited for; until then what is read stays.
      return phase.isNamed ? 'connecting' : { shown: phase.shown, step: { status: 'signing' } }
    case 'failed':
      return { shown: phase.shown, step: { status: 'failed', problem: phase.problem } }
    case 'signed':
      return { shown: phase.shown, step: { status: 'success' } }
    default:
      return phase satisfies never
  }
}

type RequestParts = {
  ui?: SignUi | undefined
  content: ShownContent
  address: string
  origin: string | null
  requester: RelayedRequester | undefined
}

/** What the sign screen says: the host's words where it has some, and who asks, as far as the browser vouches. */
function shownRequest({ ui = {}, requester, ...shown }: RequestParts, settings: Settings): ShownRequest {
  return {
    ...shown,
    title: ui.title,
    description: ui.description,
    buttonText: ui.buttonText,
    iconUrl: ui.iconUrl && isDrawable(ui.iconUrl, settings) ? ui.iconUrl : undefined,
    appName: appName(settings),
    ...(requester && { appName: requester.name, origin: requester.url, isRelayed: true }),
    names: noAssetNames,
  }
}
