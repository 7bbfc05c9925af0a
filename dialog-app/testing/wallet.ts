/** A wallet on a frame with scripted responses. The contract's schemas are enforced on both sides. */
import { LatchkeyError, type UserRecord } from '@latchkey/protocol'
import type { AuthAnswer, confirmRoutes, RouteBody, walletTokenRoutes } from '@latchkey/protocol/api'
import { frameMessages, type WalletFrameCalls, walletParentMessages } from '@latchkey/protocol/wallet'
import * as v from 'valibot'
import type { Api } from '../api/client.ts'
import { orAborted } from '../browser/waiting.ts'
import type { SessionState } from '../session/session.ts'
import { createWalletFrame, type WalletChannel } from '../wallet/frame.ts'
import { createWallet } from '../wallet/wallet.ts'
import { makeFakeClock } from './clock.ts'
import { makeAuthAnswer, visitorUser, walletAddress } from './fixtures.ts'
import { publicKeyOf } from './wallet-windows/vault-keys.ts'

export type FrameCall = keyof WalletFrameCalls
export type Serve = (call: FrameCall, data: Record<string, unknown>) => unknown

/** The requests to sign, in order. */
export const handleOf = (confirmation: number) => `handle-${confirmation}`.padEnd(43, '-')

/** A wallet that is created immediately, and is on this device. */
export const served: Serve = (call) => {
  switch (call) {
    case 'wallet:create':
      return { address: walletAddress, onDevice: true, user: null }
    case 'wallet:rpc':
      return { address: walletAddress, response: { method: 'personal_sign', data: '0xsigned' } }
    case 'wallet:connect':
    case 'wallet:recover':
      return { address: walletAddress }
    default:
      return {}
  }
}

export function failOnce(error: LatchkeyError, on: FrameCall): Serve {
  let failed = false
  return (call, data) => {
    if (call !== on || failed) return served(call, data)
    failed = true
    throw error
  }
}

type ConfirmationBody = RouteBody<(typeof confirmRoutes)['putConfirmation']>
/** The server's decision about a message. */
const confirmed = {
  digest: `0x${'d1'.repeat(32)}`,
  place: 'frame',
  reason: 'plain_message',
  usd: null,
  names: null,
  expiresInSeconds: 300,
} as const
type TokenBody = RouteBody<(typeof walletTokenRoutes)['walletToken']>

export function openWallet(serve: Serve = served, readiness: () => Promise<void> = async () => {}) {
  const clock = makeFakeClock()
  const log: { call: FrameCall; data: Record<string, unknown> }[] = []
  /** The statement of the vault, and the user under which its device is stored. */
  const stated: { call: FrameCall; data: Record<string, unknown> }[] = []
  const mounted: string[] = []
  const closers: (() => void)[] = []
  const tokens: TokenBody[] = []
  const asked: { path: string; body: unknown; headers: unknown }[] = []
  const confirmations: ConfirmationBody[] = []
  const newHandle = () => handleOf(confirmations.length + 1)
  const replaced: UserRecord[] = []
  let operations = 0
  let state: SessionState = { status: 'authenticated', user: visitorUser }

  const api: Api = {
    async call({ path }, ...[body, options]) {
      asked.push({ path, body, headers: options?.headers })
      if (path === '/sessions/device') return { success: true } as never
      if (path === '/confirmations') {
        confirmations.push(body as ConfirmationBody)
        return confirmed as never
      }
      if (path !== '/wallets/token') throw new LatchkeyError('not_found', path)
      tokens.push(body as TokenBody)
      return { token: `wallet-token-${tokens.length}` } as never
    },
  }
  async function answer(call: FrameCall, data: Record<string, unknown>): Promise<unknown> {
    if (call === 'operation:state') {
      await serve(call, data)
      return { statement: `statement of ${data.purpose}` }
    }
    if (call !== 'operation:begin') return serve(call, data)
    operations += 1
    const mine = { operationId: `op-${operations}`, publicKey: publicKeyOf(operations) }
    // A test may refuse or delay it.
    await serve(call, data)
    return mine
  }
  const frame = createWalletFrame({
    clock,
    mountFrame() {
      mounted.push('mounted')
      return { window: {} as Window, unmount: () => void mounted.push('unmounted') }
    },
    open(_frame, onClose) {
      closers.push(onClose)
      const channel: WalletChannel = {
        ready: readiness(),
        async call(name, data, { signal } = {}) {
          const input = v.parse(frameMessages.calls[name] as v.GenericSchema, data) as Record<string, unknown>
          if (name === 'iframe:ready') return {} as never
          const ofDevice = name === 'operation:state' || name === 'device:file'
          ;(ofDevice ? stated : log).push({ call: name, data: input })
          const answered = await orAborted(answer(name, input), signal)
          return v.parse(walletParentMessages.answers[name] as v.GenericSchema, answered) as never
        },
        destroy: () => {},
      }
      return channel
    },
  })
  const session = {
    state: () => state,
    replaceUser: (user: UserRecord) => void replaced.push(user),
  }

  return {
    clock,
    log,
    stated,
    mounted,
    closers,
    frame,
    tokens,
    asked,
    confirmations,
    replaced,
    wallet: createWallet({
      appId: 'app',
      frame,
      api,
      clock,
      session,
      dialogKey: async () => 'k'.repeat(43),
      hostOrigin: 'https://app.example',
      newHandle,
      pageUrl: (page) => `https://wallet.example/${page}`,
      buttonUrl: (page, name) => `https://wallet.example/open-window?page=${page}#${name}`,
    }),
    /** The calls of an operation, without its beginning and end. */
    steps: () => log.filter(({ call }) => !call.startsWith('operation:')),
    names: () => log.map(({ call }) => call),
    become(user: UserRecord | null) {
      state = user ? { status: 'authenticated', user } : { status: 'visitor' }
    },
  }
}

export const loginAnswer = (purpose: 'create' | 'connect', change: Partial<AuthAnswer> = {}): AuthAnswer =>
  makeAuthAnswer({ walletToken: { token: 'login-token', purpose }, ...change })
