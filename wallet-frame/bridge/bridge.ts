/** What the dialog may ask of the wallet frame. A table: call, and what is done about it. */
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
import { type RecoveryMethods, recoveryMethodOf, requireInputs } from '../recovery/index.ts'
import type { RecoveryInputs, RecoveryMethodPart } from '../recovery/recovery-method.ts'
import type { RecoveryWindows } from '../recovery-window/windows.ts'
import type { FactorAnswer, StepCall, WalletPorts } from '../shares/ports.ts'
import type { PublicApi } from '../shares/transport.ts'
import type { OperationKind } from '../vault/contract.ts'
import { identityOfCreate, merging } from './merging.ts'
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
    own: OpenedPagesPorts
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
  const ofImport = <Name extends ImportCall>(name: Name) =>
    answering<Name>(name, (data, { signal }) => loadImportCalls().then((calls) => calls[name](data, signal)))
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
    const { createRecoveryWindows } = await loadLazy()
    windows ??= createRecoveryWindows(openPages())
    return windows
  }
  let exports: ExportWindows | undefined
  const loadExports = async () => {
    const { createExportWindows } = await loadLazy()
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
  ): Promise<RecoveryInputs> {
    const { publicKey: vaultKey } = await vault.call('enter', { operation, kind }, signal)
    return asked.sealed(window, { vaultKey, operation }, signal)
  }
  /** What the user gives in a window is asked for when there is a vault that it can be sealed to. */
  async function withRecoveryInputs<Result>(
    data: RecoveryCall,
    of: keyof RecoveryMethodPart['operations'],
    signal: AbortSignal,
    /** And whether what was given keeps the wallet now, or has brought it back. */
    run: (method: RecoveryMethodPart, inputs: RecoveryInputs) => Promise<Result>,
    isUsed: (created: Result) => boolean = () => true,
  ): Promise<Result> {
    const { recoveryWindow, operation } = data
    const method = await recoveryMethodOf(recovery, data.recoveryMethod)
    const kind = method.operations[of]
    if (recoveryWindow === undefined || kind === undefined) {
      requireInputs(method, data)
      return run(method, data)
    }
    const asked = await loadWindows()
    const inputs = method.asks.includes('recoveryCloud')
      ? await asked.fromCloud(recoveryWindow, signal)
      : await sealedIn(asked, recoveryWindow, operation, kind, signal)
    requireInputs(method, inputs)
    const created = await run(method, inputs)
    if (isUsed(created)) asked.done(recoveryWindow)
    return created
  }
  const create: ImportPorts['create'] = (data, signal, importedKey) =>
    withRecoveryInputs(
      data,
      importedKey ? 'import' : 'create',
      signal,
      (method, inputs) => createWallet(ports, stepOf(data, signal), 'ethereum', method, inputs, importedKey),
      ({ user }) => user !== null,
    )
  const createOnce = merging(identityOfCreate, (data: Data<'wallet:create'>, signal) => create(data, signal))
  const solana = createSolanaCalls(ports)
  const ofSolana = <Name extends keyof SolanaCalls>(name: Name) =>
    answering<Name>(name, (data, { signal }) => solana[name](data, stepOf(data, signal)))

  return {
    'iframe:ready': () => ({}),

    'operation:begin': answering('operation:begin', (_data, { signal }) => vault.call('begin', {}, signal)),

    'operation:end': answering('operation:end', async ({ operationId }, { signal }) => {
      mfa.forget(operationId)
      if (vault.isRunning()) await vault.call('end', { operationId }, signal)
      return {}
    }),

    'operation:state': answering('operation:state', async ({ window, ...stated }, { signal }) => {
      if (window !== undefined) return (await loadExports()).state(window, stated, signal)
      return vault.call('state', { ...stated, appId }, signal)
    }),

    'device:file': answering('device:file', (inputs, { signal }) =>
      vault.call('fileDevice', { ...inputs, appId }, signal),
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

    'wallet:import': ofImport('wallet:import'),

    'wallet:connect': answering('wallet:connect', async (data, { signal }) => ({
      address: await connectWallet(ports, stepOf(data, signal), data.address),
    })),

    'wallet:recover': answering('wallet:recover', async (data, { signal }) => {
      const call = stepOf(data, signal)
      return withRecoveryInputs(data, 'recover', signal, async (method, inputs) => ({
        address: await recoverWallet(ports, call, data.address, method, inputs),
      }))
    }),

    'wallet:set-recovery': answering('wallet:set-recovery', async (data, { signal }) => {
      const { setRecovery } = await loadLazy()
      return withRecoveryInputs(data, 'set', signal, (method, inputs) =>
        setRecovery(ports, stepOf(data, signal), data.address, method, inputs),
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

    'page:begin': ofImport('page:begin'),

    'page:key': ofImport('page:key'),

    'page:confirm': ofImport('page:confirm'),

    'wallet:export': answering('wallet:export', async (data, { signal }) => {
      await (await loadExports()).open(data, stepOf(data, signal))
      return {}
    }),

    'account:delete': answering('account:delete', async (data, { signal }) => {
      const { deleteAccount } = await loadLazy()
      return deleteAccount(ports, stepOf(data, signal))
    }),

    'farcaster:init-signer': answering('farcaster:init-signer', async (data, { signal }) =>
      (await loadLazy()).initSigner(ports, stepOf(data, signal), data),
    ),

    'farcaster:sign': answering('farcaster:sign', async (data, { signal }) =>
      (await loadLazy()).signForFarcaster(ports, stepOf(data, signal), data),
    ),

    /** What could still answer for the user who leaves: verifications that wait for their call, and open operations. */
    'mfa:clear': () => {
      mfa.clear()
      vault.end()
      return {}
    },
  }
}

const loadLazy = () => import('./lazy/index.ts')

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

/**
 * Which errors cross to the dialog: those that the contract lists for every call and for this one. Any other one
 * is `error`, with its code in the details for a developer.
 */
function walletError(call: WalletCall, error: unknown): LatchkeyError {
  if (!(error instanceof LatchkeyError)) {
    return new LatchkeyError('error', 'The wallet could not do this', { cause: error })
  }
  const { code, message, retryAfterSeconds } = error
  const listed: readonly ErrorCode[] = [...commonWalletErrors, ...walletCallErrors[call]]
  if (listed.includes(code)) return error
  return new LatchkeyError('error', message, { details: { code }, retryAfterSeconds, cause: error })
}

type RecoveryCall = Omit<Data<'wallet:create'>, 'accessToken'>
type StepData = Pick<Data<'wallet:connect'>, 'accessToken' | 'operation'> & FactorAnswer
