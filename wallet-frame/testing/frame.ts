/**
 * A wallet frame without a browser, for tests: the real receiver, bridge, transport, vault client and vault.
 */
import { type ErrorCode, LatchkeyError } from '@latchkey/protocol'
import type { Assertion } from '@latchkey/protocol/api'
import { type CallInput, type CallOutput, createReceiver, openChannel } from '@latchkey/protocol/channel'
import {
  type CloudRecovery,
  frameMessages,
  type OperationStep,
  type PendingWallet,
  type UserRecovery,
  type WalletFrameCalls,
  type WalletPurpose,
  walletContract,
  walletParentMessages,
} from '@latchkey/protocol/wallet'
import * as v from 'valibot'
import { createBridge } from '../bridge/bridge.ts'
import { pause } from '../clock.ts'
import { type RecoveryMethods, recoveryMethods } from '../recovery/index.ts'
import type { HostPage } from '../shares/ports.ts'
import { createPublicTransport, createTransport } from '../shares/transport.ts'
import { type VaultInputs, vaultOutputs } from '../vault/contract.ts'
import { generateSigningPair } from '../vault/device/keys.ts'
import type { DeviceOwner } from '../vault/device/store.ts'
import type { PasswordHash } from '../vault/recovery/password.ts'
import { createVault } from '../vault/vault.ts'
import { createVaultClient, type VaultWorker } from '../vault-client/client.ts'
import { cheapPasswordHash } from './cheap-password-hash.ts'
import { testClock } from './clock.ts'
import { helloDigest, messageDigest } from './digests.ts'
import { emptyDisk, type MemoryDisk, memoryDatabase } from './memory-database.ts'
import { type Clouds, cloudAddresses, emptyClouds } from './server/clouds.ts'
import { sealPasskey, sealPassword } from './server/sealing-server.ts'
import type { WalletServer } from './server/wallet-server.ts'
import { type TabDeath, type TabLife, tabLife } from './tab-life.ts'
import { testWindows } from './windows.ts'

export const appId = 'a'.repeat(25)
const signer = await generateSigningPair()

type FrameOptions = {
  /** The disk of one user. Other users of the device have separate disks, like separate databases. */
  disk: MemoryDisk
  server: WalletServer
  userId?: string
  death?: TabDeath
  life?: TabLife
  hashPassword?: PasswordHash
  recovery?: RecoveryMethods
  /** The clouds of the user, which are the same on every device. */
  clouds?: Clouds
  /** Whether retries wait until the test advances the clock. Without it they do not wait. */
  waits?: boolean
  /** The page around the dialog. */
  host?: HostPage
}
type Name = keyof WalletFrameCalls

export function openFrame({
  disk,
  server,
  userId = 'user_1',
  death,
  life = tabLife(death),
  hashPassword = cheapPasswordHash,
  recovery = recoveryMethods,
  clouds = emptyClouds(),
  waits = false,
  host = { origins: ['https://app.example'], isNamed: true },
}: FrameOptions) {
  // The device key of the user's login.
  disk.signer ??= signer
  const clock = testClock()
  const waitedMs: number[] = []
  let ended = 0
  let requests = 0
  let calls = 0

  function start(): VaultWorker {
    const disks = new Map([[userId, disk]])
    function openDatabase(owner: DeviceOwner) {
      const own = disks.get(owner.userId) ?? emptyDisk()
      disks.set(owner.userId, own)
      return memoryDatabase(own, life)
    }
    const vault = createVault({ openDatabase, clock, hashPassword })
    return {
      call: (request) => vault.call(request),
      broken: new Promise(() => {}),
      end: () => {
        ended += 1
      },
    }
  }

  const vault = createVaultClient<VaultInputs, typeof vaultOutputs>({ outputs: vaultOutputs, start, clock })
  const transport = {
    origin: 'https://wallet.example',
    appId,
    client: '@latchkey/wallet-frame:test',
    clientId: 'client_1',
    analyticsId: 'analytics_1',
    fetch: (url: string, init: RequestInit) => life.step(() => server.serve(new Request(url, init))),
    clock,
    pause: async (ms: number, signal: AbortSignal) => {
      waitedMs.push(ms)
      if (waits) await pause(clock, ms, signal)
    },
    newRequestId: () => `${userId}.${Math.random()}.${++requests}`,
  }
  const api = createTransport({
    ...transport,
    prove: async (proven, signal) => (await vault.call('prove', { ...proven, appId }, signal)).proof,
  })
  const windows = testWindows()
  const { receive } = createReceiver(
    walletContract.child,
    frameMessages.calls,
    createBridge({
      appId,
      api,
      publicApi: createPublicTransport(transport),
      vault,
      hostKeyImport: false,
      openChannel: ((options: Parameters<typeof openChannel>[0]) =>
        options.contract.name === 'wallet-recovery-window'
          ? windows.channel(options)
          : openChannel(options)) as typeof openChannel,
      own: windows.own,
      clock,
      host,
      recovery,
      clouds: {
        addresses: cloudAddresses,
        fetch: (url, init) => life.step(() => clouds.fetch(url, init)),
      },
    }),
    walletContract.resolveRule,
  )

  /**
   * Calls like the dialog's end of the channel: in the envelope, cancelled by the signal, with a parsed
   * response.
   */
  async function call<N extends Name>(
    name: N,
    data: CallInput<WalletFrameCalls[N]>,
    signal?: AbortSignal,
  ): Promise<CallOutput<WalletFrameCalls[N]>> {
    const id = String(++calls)
    const cancel = () => receive({ v: 1, id: `${id}.cancel`, event: 'latchkey:cancel', data: { id } })
    signal?.addEventListener('abort', cancel)
    const answer = await receive({ v: 1, id, event: `latchkey:${name}`, data })
    if (answer.error) {
      const { type, message, ...more } = answer.error
      throw new LatchkeyError(type as ErrorCode, message, more)
    }
    return v.parse<(typeof walletParentMessages.answers)[N]>(walletParentMessages.answers[name], answer.data)
  }

  /** Begins an operation and has the server issue a token for its first step, like the dialog. */
  async function begin(purpose: WalletPurpose, { step = 1, digest = helloDigest } = {}) {
    const { operationId, publicKey } = await call('operation:begin', {})
    const operation = { id: operationId, step }
    return { operation, accessToken: server.tokenFor({ sub: userId, publicKey, operation, purpose, digest }) }
  }

  /** Adds the input of a user in a recovery window, as that window seals it. */
  async function giveInWindow(
    method: UserRecovery,
    seal: (to: { vaultKey: string; operation: OperationStep }) => Promise<object>,
  ) {
    const handle = windows.newHandle()
    const asked = call('recovery:ask', { window: handle, method, purpose: 'recover', address: null })
    await windows.open(handle, `/apps/${appId}/recovery`, seal)
    await asked
    return { recoveryMethod: method, recoveryWindow: handle }
  }

  async function beginWith(purpose: WalletPurpose, password: string) {
    return {
      ...(await begin(purpose)),
      ...(await giveInWindow('user-passcode', async ({ vaultKey, operation }) => ({
        password: await sealPassword(vaultKey, password, operation),
      }))),
    }
  }

  /** Begins an operation with the result of a cloud's window. Each code works once. */
  async function beginBy(purpose: WalletPurpose, method: CloudRecovery, denied = false) {
    const code = {
      authorizationCode: denied ? 'undefined' : `code-${Math.random()}`,
      stateCode: 'state',
      codeVerifier: 'verifier',
    }
    const session = denied ? 'another' : 'icloud-session'
    const cloud = method === 'icloud' ? { method, session } : { method, code }
    return { ...(await begin(purpose)), ...(await giveInWindow(method, async () => cloud)) }
  }

  /** A new passkey has its credential ID, an existing one its assertion. */
  async function beginByPasskey(purpose: WalletPurpose, { credentialId, secret }: HeldPasskey) {
    const named =
      purpose === 'recover' ? { authenticatorResponse: assertionBy(credentialId) } : { credentialId }
    return {
      ...(await begin(purpose)),
      ...(await giveInWindow('passkey', async ({ vaultKey, operation }) => ({
        passkey: { secret: await sealPasskey(vaultKey, secret.slice(), operation), ...named },
      }))),
    }
  }

  return {
    call,
    giveInWindow,
    windows,
    receive,
    begin,
    vault,
    clock,
    life,
    waitedMs,
    vaultsEnded: () => ended,
    create: async () => call('wallet:create', await begin('create')),
    connect: async (address: string) => call('wallet:connect', { ...(await begin('connect')), address }),
    recover: async (address: string) => call('wallet:recover', { ...(await begin('recover')), address }),
    createWith: async (password: string) => call('wallet:create', await beginWith('create', password)),
    recoverWith: async (address: string, password: string) =>
      call('wallet:recover', { ...(await beginWith('recover', password)), address }),
    setPassword: async (address: string, password: string) =>
      call('wallet:set-recovery', { ...(await beginWith('set-recovery', password)), address }),
    createBy: async (method: CloudRecovery, place?: PendingWallet) =>
      call('wallet:create', { ...(await beginBy('create', method)), ...(place && { place }) }),
    recoverBy: async (address: string, method: CloudRecovery, denied?: boolean) =>
      call('wallet:recover', { ...(await beginBy('recover', method, denied)), address }),
    createByPasskey: async (passkey: HeldPasskey) =>
      call('wallet:create', await beginByPasskey('create', passkey)),
    recoverByPasskey: async (address: string, passkey: HeldPasskey) =>
      call('wallet:recover', { ...(await beginByPasskey('recover', passkey)), address }),
    setPasskey: async (address: string, passkey: HeldPasskey) =>
      call('wallet:set-recovery', { ...(await beginByPasskey('set-recovery', passkey)), address }),
    setFileIn: async (address: string, method: CloudRecovery, denied?: boolean) =>
      call('wallet:set-recovery', { ...(await beginBy('set-recovery', method, denied)), address }),
    sign: async (address: string, message = 'hello') =>
      call('wallet:rpc', {
        ...(await begin('sign', { digest: messageDigest(message) })),
        address,
        request: personalSign(message, address),
      }),
  }
}
/** Logs a user in like the dialog. */
export async function logIn(frame: Pick<TestFrame, 'call'>, userId: string) {
  const { operationId } = await frame.call('operation:begin', {})
  const operation = { id: operationId, step: 1 }
  const { statement } = await frame.call('operation:state', loginIn(operation))
  await frame.call('device:file', { operationId, userId })
  return statement
}
const loginIn = (operation: OperationStep) => ({
  operation,
  purpose: 'login' as const,
  address: null,
  digest: null,
  userId: null,
  dialogKey: 'k'.repeat(43),
})

export type TestFrame = ReturnType<typeof openFrame>

export const personalSign = (message: string, address: string) => ({
  method: 'personal_sign' as const,
  params: [message, address] as [string, string],
})

/** A passkey as the wallet frame receives it: its credential ID and its PRF output. */
type HeldPasskey = { credentialId: string; secret: Uint8Array<ArrayBuffer> }

export const heldPasskey = (name: string): HeldPasskey => ({
  credentialId: Buffer.from(name).toString('base64url'),
  secret: crypto.getRandomValues(new Uint8Array(32)),
})

/** This test server verifies no signature. */
export const assertionBy = (id: string): Assertion => ({
  id,
  rawId: id,
  type: 'public-key',
  clientExtensionResults: {},
  response: { clientDataJson: 'e30', authenticatorData: 'AA', signature: 'AA' },
})
