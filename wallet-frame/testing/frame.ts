/** A wallet frame without a browser, for tests: the real bridge, transport, vault client and vault. */

import { createBridge } from '../bridge/bridge.ts'
import { type Clock, createVaultClient, type VaultWorker } from '../bridge/vault-client.ts'
import { createTransport } from '../shares/transport.ts'
import { createVault } from '../vault/vault.ts'
import { type MemoryDisk, memoryDatabase } from './memory-database.ts'
import { type TabDeath, type TabLife, tabLife } from './tab-life.ts'
import type { walletServer } from './wallet-server.ts'

export const appId = 'a'.repeat(25)

/** Time that stands still until the test moves it. */
export function testClock() {
  let nowMs = 0
  const timers = new Set<{ readonly atMs: number; readonly run: () => void }>()
  const clock: Clock = {
    nowMs: () => nowMs,
    after: (ms, run) => {
      const timer = { atMs: nowMs + ms, run }
      timers.add(timer)
      return () => timers.delete(timer)
    },
  }
  const advance = (ms: number) => {
    nowMs += ms
    for (const timer of [...timers]) {
      if (timer.atMs <= nowMs && timers.delete(timer)) timer.run()
    }
  }
  return { ...clock, advance }
}

type FrameOptions = {
  readonly disk: MemoryDisk
  readonly server: Awaited<ReturnType<typeof walletServer>>
  readonly userId?: string
  readonly death?: TabDeath
  readonly life?: TabLife
}

export function openFrame({ disk, server, userId = 'user_1', death, life = tabLife(death) }: FrameOptions) {
  const clock = testClock()
  const waitedMs: number[] = []
  let ended = 0
  let requests = 0

  function start(): VaultWorker {
    const vault = createVault({ openDatabase: () => memoryDatabase(disk, life) })
    return {
      call: async (request) => (await vault).call(request),
      broken: new Promise(() => {}),
      end: () => {
        ended += 1
      },
    }
  }

  const vault = createVaultClient({ start, clock })
  const api = createTransport({
    origin: 'https://wallet.example',
    appId,
    client: '@latchkey/wallet-frame:test',
    clientId: 'client_1',
    analyticsId: 'analytics_1',
    fetch: (url, init) => life.step(() => server.serve(new Request(url, { ...init, mode: 'cors' }))),
    sleep: async (ms) => {
      waitedMs.push(ms)
    },
    deadline: () => new AbortController().signal,
    newRequestId: () => `${userId}.${Math.random()}.${++requests}`,
  })
  const bridge = createBridge({ appId, api, vault })

  /** As the dialog does it: ask for the key, let the server bind a token to it. */
  async function accessToken() {
    const { publicKey } = await bridge['vault:key']({})
    return server.tokenFor(userId, publicKey)
  }
  return { bridge, vault, clock, life, waitedMs, accessToken, vaultsEnded: () => ended }
}
