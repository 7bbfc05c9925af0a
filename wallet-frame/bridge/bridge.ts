/** The handlers of the calls that the dialog makes to the wallet frame. */
import { type ErrorCode, LatchkeyError } from '@latchkey/protocol'
import type { CallContext, Handlers } from '@latchkey/protocol/channel'
import { commonWalletErrors, type WalletFrameCalls, walletCallErrors } from '@latchkey/protocol/wallet'
import type { Clock } from '../clock.ts'
import { createOffers, type Offers } from '../confirm/offers.ts'
import type { ExportWindows } from '../export/windows.ts'
import type { ImportCall, ImportCalls, ImportPorts } from '../import/frame-calls.ts'
import { createSecondFactor } from '../mfa/second-factor.ts'
import {
  createOpenedPages,
  type OpenedPages,
  type OpenedPagesPorts,
} from '../pages/handshake/opened-pages.ts'
import { loadRecoveryMethod, type RecoveryMethods, requireInputs } from '../recovery/index.ts'
import type { RecoveryInputs, RecoveryMethodPart } from '../recovery/recovery-method.ts'
import type { RecoveryWindows } from '../recovery-window/windows.ts'
import type { FactorAnswer, StepCall, WalletPorts } from '../shares/ports.ts'
import type { PublicApi } from '../shares/transport.ts'
import type { OperationKind } from '../vault/contract.ts'
import { getCreateKey, mergeCalls } from './merging.ts'
import { createSolanaCalls, type SolanaCalls } from './solana-calls.ts'
import { connectWallet, createWallet, recoverWallet, signRequest } from './wallet-calls.ts'

type WalletCall = keyof WalletFrameCalls
type Calls = Handlers<WalletFrameCalls>
type Data<Name extends WalletCall> = Parameters<Calls[Name]>[0]
type Answer<Name extends WalletCall> = Awaited<ReturnType<Calls[Name]>>

export type BridgePorts = WalletPorts &
  Pick<ImportPorts, 'openChannel' | 'hostKeyImport'> & {
    recovery: RecoveryMethods
    publicApi: PublicApi
    clock: Clock
    /** This window. */
    own: Omit<OpenedPagesPorts, 'openChannel'>
  }

export function createBridge(ports: BridgePorts): Calls {
  const { appId, vault, recovery } = ports
  const mfa = createSecondFactor(ports)
  let importCalls: ImportCalls | undefined
  const loadImportCalls = async () => {
    const { createImportCalls } = await import('../import/frame-calls.ts')
    importCalls ??= createImportCalls({ ...ports, create })
    return importCalls
  }
  const handleImport = <Name extends ImportCall>(name: Name) =>
    withWalletErrors<Name>(name, (data, { signal }) =>
      loadImportCalls().then((calls) => calls[name](data, signal)),
    )
  let openedPages: OpenedPages | undefined
  /** Created with the first window, so that a frame without windows installs no message listener. */
  const getWindowPorts = () => {
    openedPages ??= createOpenedPages({ ...ports.own, openChannel: ports.openChannel })
    return { ...ports, opened: openedPages, origin: ports.own.origin }
  }
  let offers: Offers | undefined
  const getOffers = () => {
    offers ??= createOffers(getWindowPorts())
    return offers
  }
  let windows: RecoveryWindows | undefined
  const loadWindows = async () => {
    const { createRecoveryWindows } = await loadLazy()
    windows ??= createRecoveryWindows(getWindowPorts())
    return windows
  }
  let exports: ExportWindows | undefined
  const loadExports = async () => {
    const { createExportWindows } = await loadLazy()
    exports ??= createExportWindows(getWindowPorts())
    return exports
  }
  const toStepCall = (data: StepData, signal: AbortSignal): StepCall => {
    const call = { token: data.accessToken, operation: data.operation, signal }
    return { ...call, withFactor: (ask) => mfa.use(call, data, ask) }
  }
  async function getSealedInputs(
    recoveryWindows: RecoveryWindows,
    window: string,
    operation: StepData['operation'],
    kind: OperationKind,
    signal: AbortSignal,
  ): Promise<RecoveryInputs> {
    const { publicKey: vaultKey } = await vault.call('enter', { operation, kind }, signal)
    return recoveryWindows.sealed(window, { vaultKey, operation }, signal)
  }
  /** Gets the user's input from its window, after the vault has a key to which the window can seal it. */
  async function withRecoveryInputs<Result>(
    data: RecoveryCall,
    use: keyof RecoveryMethodPart['operations'],
    signal: AbortSignal,
    /** `isUsed` returns whether the input now protects the wallet, or has restored it. */
    run: (method: RecoveryMethodPart, inputs: RecoveryInputs) => Promise<Result>,
    isUsed: (created: Result) => boolean = () => true,
  ): Promise<Result> {
    const { recoveryWindow, operation } = data
    const method = await loadRecoveryMethod(recovery, data.recoveryMethod)
    const kind = method.operations[use]
    if (recoveryWindow === undefined || kind === undefined) {
      requireInputs(method, data)
      return run(method, data)
    }
    const recoveryWindows = await loadWindows()
    const inputs = method.asks.includes('recoveryCloud')
      ? await recoveryWindows.fromCloud(recoveryWindow, signal)
      : await getSealedInputs(recoveryWindows, recoveryWindow, operation, kind, signal)
    requireInputs(method, inputs)
    const created = await run(method, inputs)
    if (isUsed(created)) recoveryWindows.done(recoveryWindow)
    return created
  }
  const create: ImportPorts['create'] = ({ place, ...data }, signal, importedKey) =>
    withRecoveryInputs(
      data,
      importedKey ? 'import' : 'create',
      signal,
      (method, inputs) => {
        const source = { importedKey, place }
        return createWallet(ports, toStepCall(data, signal), 'ethereum', method, inputs, source)
      },
      ({ user }) => user !== null,
    )
  const createOnce = mergeCalls(getCreateKey, (data: Data<'wallet:create'>, signal) => create(data, signal))
  const solana = createSolanaCalls(ports)
  const handleSolana = <Name extends keyof SolanaCalls>(name: Name) =>
    withWalletErrors<Name>(name, (data, { signal }) => solana[name](data, toStepCall(data, signal)))

  return {
    'iframe:ready': () => ({}),

    'operation:begin': withWalletErrors('operation:begin', (_data, { signal }) =>
      vault.call('begin', {}, signal),
    ),

    'operation:end': withWalletErrors('operation:end', async ({ operationId }, { signal }) => {
      mfa.forget(operationId)
      if (vault.isRunning()) await vault.call('end', { operationId }, signal)
      return {}
    }),

    'operation:state': withWalletErrors('operation:state', async ({ window, ...claims }, { signal }) => {
      if (window !== undefined) return (await loadExports()).state(window, claims, signal)
      return vault.call('state', { ...claims, appId }, signal)
    }),

    'device:file': withWalletErrors('device:file', (inputs, { signal }) =>
      vault.call('fileDevice', { ...inputs, appId }, signal),
    ),

    'recovery:ask': withWalletErrors('recovery:ask', async (asked, { signal }) =>
      (await loadWindows()).ask(asked, signal),
    ),

    'recovery:confirm': withWalletErrors('recovery:confirm', async (asked, { signal }) =>
      (await loadWindows()).confirm(asked, signal),
    ),

    'recovery:end': withWalletErrors('recovery:end', async ({ window, problem }) => {
      ;(await loadWindows()).end(window, problem)
      return {}
    }),

    'export:begin': withWalletErrors('export:begin', async (data, { signal }) =>
      (await loadExports()).begin(data, signal),
    ),

    'export:confirm': withWalletErrors('export:confirm', async (asked, { signal }) =>
      (await loadExports()).confirm(asked, signal),
    ),

    'export:closed': withWalletErrors('export:closed', async ({ window }, { signal }) => {
      await (await loadExports()).closed(window, signal)
      return {}
    }),

    'export:end': withWalletErrors('export:end', async ({ window, problem }) => {
      ;(await loadExports()).end(window, problem)
      return {}
    }),

    'wallet:create': withWalletErrors('wallet:create', (data, { signal }) => createOnce(data, signal)),

    'wallet:import': handleImport('wallet:import'),

    'wallet:connect': withWalletErrors('wallet:connect', async (data, { signal }) => ({
      address: await connectWallet(ports, toStepCall(data, signal), data.address),
    })),

    'wallet:recover': withWalletErrors('wallet:recover', async (data, { signal }) => {
      const call = toStepCall(data, signal)
      return withRecoveryInputs(data, 'recover', signal, async (method, inputs) => ({
        address: await recoverWallet(ports, call, data.address, method, inputs),
      }))
    }),

    'wallet:set-recovery': withWalletErrors('wallet:set-recovery', async (data, { signal }) => {
      const { setRecovery } = await loadLazy()
      return withRecoveryInputs(data, 'set', signal, (method, inputs) =>
        setRecovery(ports, toStepCall(data, signal), data.address, method, inputs),
      )
    }),

    'wallet:rpc': withWalletErrors('wallet:rpc', async (data, { signal }) => {
      const { address, request, requesterAppId = appId, relayed } = data
      if (requesterAppId !== appId) {
        throw new LatchkeyError('not_supported', 'Signing for another app is not supported')
      }
      const signed = await signRequest(ports, toStepCall(data, signal), address, request, relayed)
      return { address: signed.address, response: { method: request.method, data: signed.data } }
    }),

    'solana-wallet:create': handleSolana('solana-wallet:create'),
    'solana-wallet:connect': handleSolana('solana-wallet:connect'),
    'solana-wallet:recover': handleSolana('solana-wallet:recover'),
    'solana-wallet:rpc': handleSolana('solana-wallet:rpc'),

    'mfa:verify': withWalletErrors('mfa:verify', async (data, { signal }) => {
      await (await mfa.load()).verify(toStepCall(data, signal), data)
      return {}
    }),

    'mfa:init-enrollment': withWalletErrors('mfa:init-enrollment', async (data, { signal }) =>
      (await mfa.load()).initEnrollment(toStepCall(data, signal), data),
    ),

    'mfa:submit-enrollment': withWalletErrors('mfa:submit-enrollment', async (data, { signal }) =>
      (await mfa.load()).submitEnrollment(toStepCall(data, signal), data),
    ),

    'mfa:unenroll': withWalletErrors('mfa:unenroll', async (data, { signal }) =>
      (await mfa.load()).unenroll(toStepCall(data, signal), data.method),
    ),

    'confirm:offer': withWalletErrors('confirm:offer', async (offered) => {
      getOffers().offer(offered)
      return {}
    }),

    'confirm:end': withWalletErrors('confirm:end', async ({ handle }) => {
      getOffers().end(handle)
      return {}
    }),

    'page:begin': handleImport('page:begin'),

    'page:key': handleImport('page:key'),

    'page:confirm': handleImport('page:confirm'),

    'wallet:export': withWalletErrors('wallet:export', async (data, { signal }) => {
      await (await loadExports()).open(data, toStepCall(data, signal))
      return {}
    }),

    'account:delete': withWalletErrors('account:delete', async (data, { signal }) => {
      const { deleteAccount } = await loadLazy()
      return deleteAccount(ports, toStepCall(data, signal))
    }),

    'farcaster:init-signer': withWalletErrors('farcaster:init-signer', async (data, { signal }) =>
      (await loadLazy()).initSigner(ports, toStepCall(data, signal), data),
    ),

    'farcaster:sign': withWalletErrors('farcaster:sign', async (data, { signal }) =>
      (await loadLazy()).signForFarcaster(ports, toStepCall(data, signal), data),
    ),

    /**
     * Drops everything of the user at logout: verifications that wait for their call, and open operations.
     */
    'mfa:clear': () => {
      mfa.clear()
      vault.end()
      return {}
    },
  }
}

const loadLazy = () => import('./lazy/index.ts')

const withWalletErrors =
  <Name extends WalletCall>(
    call: Name,
    handle: (data: Data<Name>, context: CallContext) => Promise<Answer<Name>>,
  ) =>
  async (data: Data<Name>, context: CallContext): Promise<Answer<Name>> => {
    try {
      return await handle(data, context)
    } catch (error) {
      throw toListedError(call, error)
    }
  }

/**
 * Returns the error that crosses to the dialog. Codes that the contract lists for all calls or for this call
 * pass through. Any other error becomes `error`, with its code in the details for developers.
 */
function toListedError(call: WalletCall, error: unknown): LatchkeyError {
  if (!(error instanceof LatchkeyError)) {
    return new LatchkeyError('error', 'The wallet could not do this', { cause: error })
  }
  const { code, message, retryAfterSeconds } = error
  const allowed: readonly ErrorCode[] = [...commonWalletErrors, ...walletCallErrors[call]]
  if (allowed.includes(code)) return error
  return new LatchkeyError('error', message, { details: { code }, retryAfterSeconds, cause: error })
}

type RecoveryCall = Omit<Data<'wallet:create'>, 'accessToken'>
type StepData = Pick<Data<'wallet:connect'>, 'accessToken' | 'operation'> & FactorAnswer
