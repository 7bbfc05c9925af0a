/**
 * The user takes their key: the wallet connects, and this card opens a window of the wallet's origin, in which they say
 * that they want to see the key and then see it. What the server releases goes from the wallet frame to that window;
 * nothing of it comes through here. `export-state.ts` decides what comes next; this does it.
 */
import {
  findEmbeddedWallet,
  LatchkeyError,
  toLatchkeyError,
  type WalletAccount,
  walletLimits,
} from '@latchkey/protocol'
import { approveAction } from '../../contract/approved-action.ts'
import type { CapabilityPorts } from '../../contract/capability.ts'
import { createWalletWindow, type NoWindow, noWindowIn } from '../../contract/wallet-window.ts'
import type { FlowHandle, RunningFlow } from '../../flow/flow.ts'
import { createMachine, partOf } from '../../flow/machine.ts'
import { screen } from '../../flow/screen.ts'
import { requireUser } from '../../host/require-user.ts'
import type { ExportWindows } from '../../wallet/lazy/export-windows.ts'
import type { Handle, Operation } from '../../wallet/operations.ts'
import { createWalletCalls } from '../../wallet/wallet-obstacles.ts'
import type { ExportStep } from './export-screen.tsx'
import {
  type ExportEffect,
  type ExportEvent,
  type Exported,
  type ExportPhase,
  type ExportState,
  type ExportWindow,
  endingOfClose,
  exportStep,
  unexported,
} from './export-state.ts'
import { exportScreen } from './screens.ts'

export type ExportPorts = Pick<
  CapabilityPorts,
  'session' | 'settings' | 'remedies' | 'analytics' | 'wallet' | 'api'
>

/** A window that was opened, by the name that the wallet's frame knows it by. */
type Served = {
  account: WalletAccount
  windows: ExportWindows
  window: ExportWindow
  name: string
}

/** What is released, and to whom. */
type Opening = {
  operation: Operation
  account: WalletAccount
  /** The name of the window. */
  name: string
  /** The key of the vault in that window. */
  publicKey: string
  confirmation: Handle
}

export function createExportFlow(
  ports: ExportPorts,
  handle: FlowHandle<Exported>,
  { userAgent }: { userAgent: string } = navigator,
): RunningFlow<Exported> {
  const { wallet, analytics, settings } = ports
  const callWallet = createWalletCalls(ports.remedies)

  const machine = createMachine<ExportState, ExportEvent, ExportEffect>({
    initial: unexported,
    step: exportStep,
    draw: ({ phase }) => draw(phase),
    ...partOf(handle),
    effects: {
      async 'find wallet'() {
        const account = findEmbeddedWallet(await requireUser(ports, handle))
        if (!account) throw new LatchkeyError('embedded_wallet_not_found', 'The user has no wallet')
        return { type: 'found', account }
      },
      async connect({ account }) {
        try {
          const [windows] = await Promise.all([
            wallet.exportWindows(),
            connect(account),
            atLeast(walletLimits.beforeExportMs),
          ])
          return { type: 'connected', windows }
        } catch (cause) {
          return { type: 'not connected', cause }
        }
      },
      lead: ({ account, windows }) => leadToWindow(account, windows),
      hear: ({ window, state }) => window.hear(state),
      abandon: ({ window }) => window.abandon(),
      track: () => analytics('embedded_wallet_key_export_completed'),
      end: ({ ending }) => handle.end(ending),
    },
  })

  function draw(phase: ExportPhase) {
    const step = stepOf(phase)
    if (!step || phase.at === 'finding wallet') return
    const { address } = phase.account
    const view = screen(
      exportScreen,
      { address, ...step },
      {
        opened: (state) => machine.send({ type: 'pressed', state }),
        retry: () => machine.send({ type: 'retry' }),
        leave: () => handle.end(),
      },
    )
    if (handle.isAt(exportScreen)) handle.update(view)
    else handle.replace(view)
  }

  const atLeast = (ms: number) => new Promise<void>((resolve) => handle.after(ms, resolve))

  /** A device without its share is given one; what is asked again then has it. */
  async function connect(account: WalletAccount): Promise<void> {
    let isTried = false
    await callWallet({
      event: 'wallet:connect',
      account,
      card: handle,
      async call() {
        if (isTried) return
        isTried = true
        await wallet.connect(account.address, { signal: handle.signal })
      },
    })
  }

  /** The window is opened by the wallet's own button; where none can be, the card says so. */
  function leadToWindow(account: WalletAccount, windows: ExportWindows) {
    const obstacle = noWindowIn(settings(), userAgent)
    const window: ExportWindow = createWalletWindow<NoWindow>({
      signal: handle.signal,
      obstacle,
      next: () => windows.next(account.address),
      show: (step) => machine.send({ type: 'window shown', window, step }),
      serve(name, signal) {
        // Whatever ends the card or begins it anew ends the window too.
        signal.addEventListener('abort', () => windows.end({ window: name }))
        return serve({ account, windows, window, name }, signal).catch((error: unknown) => {
          if (!signal.aborted) {
            windows.end({ window: name, problem: { code: toLatchkeyError(error, 'error', '').code } })
          }
          throw error
        })
      },
      onDone: () => machine.send({ type: 'closed', window }),
      onFailed: (cause) => machine.send({ type: 'window failed', window, cause }),
    })
    machine.send({ type: 'led', window, obstacle })
    window.ask()
  }

  /** The window is served from when it is there to its end. */
  async function serve({ account, windows, window, name }: Served, signal: AbortSignal) {
    const { address } = account
    const { publicKey } = await windows.begin({ window: name, address }, signal)
    const confirmation = await approveAction(ports, {
      address,
      action: { method: 'export', params: [address] },
      signal,
      sign: (named) => windows.confirm({ window: name, ...named }, signal),
    })
    machine.send({ type: 'confirmed', window })
    const operation = await wallet.begin({ signal })
    try {
      await open({ operation, account, name, publicKey, confirmation }, signal)
    } finally {
      wallet.end(operation)
    }
    machine.send({ type: 'opened', window })
    // A frame that is gone has closed it too.
    await windows.closed(name, signal).catch(() => {})
  }

  /** In an operation of the frame, which keeps the verification; the release is sealed to the key of the window. */
  async function open(opening: Opening, signal: AbortSignal): Promise<void> {
    await verify(opening, 'known', signal)
    try {
      await release(opening, signal)
    } catch (error) {
      if (!isUnverified(error)) throw error
      // A method that was added elsewhere since.
      await verify(opening, 'told', signal)
      await release(opening, signal)
    }
  }

  const verify = (
    { operation, account, confirmation }: Opening,
    due: 'known' | 'told',
    signal: AbortSignal,
  ): Promise<void> =>
    callWallet({
      event: 'mfa:verify',
      account,
      card: handle,
      async call(verification) {
        if (verification === undefined) {
          if (due === 'known') return
          throw new LatchkeyError('missing_or_invalid_mfa', 'A second factor is needed')
        }
        const asker = { signal, confirmation }
        const { data } = await wallet.requestToken(operation, 'export', account.address, asker)
        await operation.channel.call('mfa:verify', { ...data, ...verification }, { signal })
      },
    })

  async function release(
    { operation, account: { address }, name, publicKey, confirmation }: Opening,
    signal: AbortSignal,
  ): Promise<void> {
    const sealedTo = { ...operation, publicKey, window: name }
    const { data } = await wallet.requestToken(sealedTo, 'export', address, { signal, confirmation })
    await operation.channel.call('wallet:export', { ...data, address, window: name }, { signal })
  }

  return {
    kind: 'export',
    run: () => machine.send({ type: 'begin' }),
    onClose: () => endingOfClose(machine.state()),
  }
}

/** What is seen of a phase; nothing new of one whose step is not there yet. */
function stepOf(phase: ExportPhase): ExportStep | undefined {
  switch (phase.at) {
    case 'finding wallet':
      return undefined
    case 'connecting':
      return { status: 'connecting' }
    case 'asking':
    case 'releasing':
      return phase.step && { status: 'window', step: phase.step }
    case 'open':
      return { status: 'open' }
    case 'failed':
      return { status: 'failed', problem: phase.problem }
    default:
      return phase satisfies never
  }
}

const isUnverified = (error: unknown) =>
  error instanceof LatchkeyError && error.code === 'missing_or_invalid_mfa'
