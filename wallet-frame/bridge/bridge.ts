/** What the dialog may ask of the wallet frame. A table: call, and what is done about it. */
import { LatchkeyError } from '@latchkey/protocol'
import type { CallContext, Handlers } from '@latchkey/protocol/channel'
import type { WalletFrameCalls } from '@latchkey/protocol/wallet'
import type { Clock } from '../clock.ts'
import { createOffers, type Offers } from '../confirm/offers.ts'
import type { ExportWindows } from '../export/windows.ts'
import { createSecondFactor } from '../mfa/second-factor.ts'
import { createOpenedPages, type OpenedPages, type OpenedPagesPorts } from '../pages/opened-pages.ts'
import type { PageCall, PagePorts, Pages } from '../pages/pages.ts'
import { type RecoveryMethods, recoveryMethodOf, requireGiven } from '../recovery/index.ts'
import type { RecoveryGiven, RecoveryMethodPart } from '../recovery/recovery-method.ts'
import type { RecoveryWindows } from '../recovery-window/windows.ts'
import type { GivenFactor, StepCall, WalletPorts } from '../shares/ports.ts'
import type { PublicApi } from '../shares/transport.ts'
import type { OperationKind } from '../vault/contract.ts'
import { identityOfCreate, merging } from './merging.ts'
import { createSolanaCalls, type SolanaCalls } from './solana-calls.ts'
import { connectWallet, createWallet, recoverWallet, signRequest } from './wallet-calls.ts'
import { type WalletCall, walletError } from './wallet-errors.ts'

type Calls = Handlers<WalletFrameCalls>
type Data<Name extends WalletCall> = Parameters<Calls[Name]>[0]
type Answer<Name extends WalletCall> = Awaited<ReturnType<Calls[Name]>>

export type BridgePorts = WalletPorts &
  Pick<PagePorts, 'openChannel'> & {
    readonly recovery: RecoveryMethods
    readonly publicApi: PublicApi
    readonly clock: Clock
    /** This window. */
    readonly own: OpenedPagesPorts
  }

export function createBridge(ports: BridgePorts): Calls {
  const { appId, vault, recovery } = ports
  const mfa = createSecondFactor(ports)
  let pages: Pages | undefined
  const loadPages = async () => {
    const { createPages } = await import('../pages/pages.ts')
    pages ??= createPages({ ...ports, create })
    return pages
  }
  const ofPages = <Name extends PageCall>(name: Name) =>
    answering<Name>(name, (data, { signal }) => loadPages().then((calls) => calls[name](data, signal)))
  let opened: OpenedPages | undefined
  /** Created with the first window, so that a frame without windows listens to no messages. */
  const openPages = () => {
    opened ??= createOpenedPages(ports.own)
    return { ...ports, opened, origin: ports.own.origin }
  }
  let offers: Offers | undefined
  const openOffers = () => {
    offers ??= createOffers(openPages())
    return offers
  }
  let windows: RecoveryWindows | undefined
  const loadWindows = async () => {
    const { createRecoveryWindows } = await loadSeldom()
    windows ??= createRecoveryWindows(openPages())
    return windows
  }
  let exports: ExportWindows | undefined
  const loadExports = async () => {
    const { createExportWindows } = await loadSeldom()
    exports ??= createExportWindows(openPages())
    return exports
  }
  const stepOf = (data: StepData, signal: AbortSignal): StepCall => {
    const call = { token: data.accessToken, operation: data.operation, signal }
    return { ...call, withFactor: (ask) => mfa.use(call, data, ask) }
  }
  async function sealedIn(
    asked: RecoveryWindows,
    window: string,
    operation: StepData['operation'],
    kind: OperationKind,
    signal: AbortSignal,
  ): Promise<RecoveryGiven> {
    const { publicKey: vaultKey } = await vault.ask('enter', { operation, kind }, signal)
    return asked.sealed(window, { vaultKey, operation }, signal)
  }
  /** What the user gives in a window is asked for when there is a vault that it can be sealed to. */
  async function withGiven<Made>(
    data: GivenByUser,
    of: keyof RecoveryMethodPart['operations'],
    signal: AbortSignal,
    /** And whether what was given keeps the wallet now, or has brought it back. */
    run: (method: RecoveryMethodPart, given: RecoveryGiven) => Promise<Made>,
    isUsed: (made: Made) => boolean = () => true,
  ): Promise<Made> {
    const { recoveryWindow, operation } = data
    const method = await recoveryMethodOf(recovery, data.recoveryMethod)
    const kind = method.operations[of]
    if (recoveryWindow === undefined || kind === undefined) {
      requireGiven(method, data)
      return run(method, data)
    }
    const asked = await loadWindows()
    const given = method.asks.includes('recoveryCloud')
      ? await asked.fromCloud(recoveryWindow, signal)
      : await sealedIn(asked, recoveryWindow, operation, kind, signal)
    requireGiven(method, given)
    const made = await run(method, given)
    if (isUsed(made)) asked.done(recoveryWindow)
    return made
  }
  const create: PagePorts['create'] = (data, signal, brought) =>
    withGiven(
      data,
      brought ? 'import' : 'create',
      signal,
      (method, given) => createWallet(ports, stepOf(data, signal), 'ethereum', method, given, brought),
      ({ user }) => user !== null,
    )
  const createOnce = merging(identityOfCreate, (data: Data<'wallet:create'>, signal) => create(data, signal))
  const solana = createSolanaCalls(ports)
  const ofSolana = <Name extends keyof SolanaCalls>(name: Name) =>
    answering<Name>(name, (data, { signal }) => solana[name](data, stepOf(data, signal)))

  return {
    'iframe:ready': () => ({}),

    'operation:begin': answering('operation:begin', (_data, { signal }) => vault.ask('begin', {}, signal)),

    'operation:end': answering('operation:end', async ({ operationId }, { signal }) => {
      mfa.forget(operationId)
      if (vault.isRunning()) await vault.ask('end', { operationId }, signal)
      return {}
    }),

    'operation:state': answering('operation:state', async ({ window, ...stated }, { signal }) => {
      if (window !== undefined) return (await loadExports()).state(window, stated, signal)
      return vault.ask('state', { ...stated, appId }, signal)
    }),

    'device:file': answering('device:file', (given, { signal }) =>
      vault.ask('fileDevice', { ...given, appId }, signal),
    ),

    'recovery:ask': answering('recovery:ask', async (asked, { signal }) =>
      (await loadWindows()).ask(asked, signal),
    ),

    'recovery:confirm': answering('recovery:confirm', async (asked, { signal }) =>
      (await loadWindows()).confirm(asked, signal),
    ),

    'recovery:end': answering('recovery:end', async ({ window, problem }) => {
      ;(await loadWindows()).end(window, problem)
      return {}
    }),

    'export:begin': answering('export:begin', async (begun, { signal }) =>
      (await loadExports()).begin(begun, signal),
    ),

    'export:confirm': answering('export:confirm', async (asked, { signal }) =>
      (await loadExports()).confirm(asked, signal),
    ),

    'export:closed': answering('export:closed', async ({ window }, { signal }) => {
      await (await loadExports()).closed(window, signal)
      return {}
    }),

    'export:end': answering('export:end', async ({ window, problem }) => {
      ;(await loadExports()).end(window, problem)
      return {}
    }),

    'wallet:create': answering('wallet:create', (data, { signal }) => createOnce(data, signal)),

    'wallet:import': ofPages('wallet:import'),

    'wallet:connect': answering('wallet:connect', async (data, { signal }) => ({
      address: await connectWallet(ports, stepOf(data, signal), data.address),
    })),

    'wallet:recover': answering('wallet:recover', async (data, { signal }) => {
      const call = stepOf(data, signal)
      return withGiven(data, 'recover', signal, async (method, given) => ({
        address: await recoverWallet(ports, call, data.address, method, given),
      }))
    }),

    'wallet:set-recovery': answering('wallet:set-recovery', async (data, { signal }) => {
      const { setRecovery } = await loadSeldom()
      return withGiven(data, 'set', signal, (method, given) =>
        setRecovery(ports, stepOf(data, signal), data.address, method, given),
      )
    }),

    'wallet:rpc': answering('wallet:rpc', async (data, { signal }) => {
      const { address, request, requesterAppId = appId, relayed } = data
      if (requesterAppId !== appId) {
        throw new LatchkeyError('not_supported', 'Signing for another app is not supported')
      }
      const signed = await signRequest(ports, stepOf(data, signal), address, request, relayed)
      return { address: signed.address, response: { method: request.method, data: signed.data } }
    }),

    'solana-wallet:create': ofSolana('solana-wallet:create'),
    'solana-wallet:connect': ofSolana('solana-wallet:connect'),
    'solana-wallet:recover': ofSolana('solana-wallet:recover'),
    'solana-wallet:rpc': ofSolana('solana-wallet:rpc'),

    'mfa:verify': answering('mfa:verify', async (data, { signal }) => {
      await (await mfa.load()).verify(stepOf(data, signal), data)
      return {}
    }),

    'mfa:init-enrollment': answering('mfa:init-enrollment', async (data, { signal }) =>
      (await mfa.load()).initEnrollment(stepOf(data, signal), data),
    ),

    'mfa:submit-enrollment': answering('mfa:submit-enrollment', async (data, { signal }) =>
      (await mfa.load()).submitEnrollment(stepOf(data, signal), data),
    ),

    'mfa:unenroll': answering('mfa:unenroll', async (data, { signal }) =>
      (await mfa.load()).unenroll(stepOf(data, signal), data.method),
    ),

    'confirm:offer': answering('confirm:offer', async (offered) => {
      openOffers().offer(offered)
      return {}
    }),

    'confirm:end': answering('confirm:end', async ({ handle }) => {
      openOffers().end(handle)
      return {}
    }),

    'page:begin': ofPages('page:begin'),

    'page:key': ofPages('page:key'),
    'wallet:export': answering('wallet:export', async (data, { signal }) => {
      await (await loadExports()).open(data, stepOf(data, signal))
      return {}
    }),

    'account:delete': answering('account:delete', async (data, { signal }) => {
      const { deleteAccount } = await loadSeldom()
      return deleteAccount(ports, stepOf(data, signal))
    }),

    'farcaster:init-signer': answering('farcaster:init-signer', async (data, { signal }) =>
      (await loadSeldom()).initSigner(ports, stepOf(data, signal), data),
    ),

    'farcaster:sign': answering('farcaster:sign', async (data, { signal }) =>
      (await loadSeldom()).signForFarcaster(ports, stepOf(data, signal), data),
    ),

    /** What could still answer for the user who leaves: verifications that wait for their call, and open operations. */
    'mfa:clear': () => {
      mfa.clear()
      vault.end()
      return {}
    },
  }
}

const loadSeldom = () => import('./seldom.ts')

const answering =
  <Name extends WalletCall>(
    call: Name,
    handle: (data: Data<Name>, context: CallContext) => Promise<Answer<Name>>,
  ) =>
  async (data: Data<Name>, context: CallContext): Promise<Answer<Name>> => {
    try {
      return await handle(data, context)
    } catch (error) {
      throw walletError(call, error)
    }
  }

type GivenByUser = Omit<Data<'wallet:create'>, 'accessToken'>
type StepData = Pick<Data<'wallet:connect'>, 'accessToken' | 'operation'> & GivenFactor
