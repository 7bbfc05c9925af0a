/** The official client as configured here, with real sockets to the sandbox's relay and phone. */
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { openRelayClient, type RelayClient, type Storage } from './relay-client.ts'
import { startSandbox } from './testing/sandbox.ts'

// The client waits one second after each request, and a busy machine adds to that.
vi.setConfig({ testTimeout: 30_000 })

let sandbox: Awaited<ReturnType<typeof startSandbox>>
beforeAll(async () => {
  sandbox = await startSandbox()
})
afterAll(() => sandbox.stop())
const opened: RelayClient[] = []
afterEach(() => {
  for (const { close } of opened.splice(0)) close()
  vi.restoreAllMocks()
})

let projects = 0

/** Creates a client with its own project, so that its relay connections can be counted. */
async function open({ name = 'app', storage }: { name?: string; storage?: Storage } = {}) {
  projects += 1
  const projectId = String(projects).padStart(32, '0').replaceAll('0', 'e')
  const made = await openRelayClient({
    name,
    projectId,
    relayUrl: sandbox.relayUrl,
    metadata: { name: 'Fieldnotes', url: 'https://fieldnotes.example', icon: undefined },
    ...(storage && { storage }),
  })
  opened.push(made)
  return { ...made, attempts: async () => (await sandbox.relay()).attempts[projectId] ?? 0 }
}

const wanted = {
  optionalNamespaces: { eip155: { chains: ['eip155:1'], methods: ['personal_sign'], events: [] } },
}
const subscribing = { method: 'irn_subscribe', params: { topic: 'a'.repeat(64) } }
const subscribingAgain = { method: 'irn_batchSubscribe', params: { topics: ['a'.repeat(64)] } }

test('contacts only the relay to identify the other side of a proposal, without waiting', async () => {
  const fetched = vi.spyOn(globalThis, 'fetch')
  const [{ client: app }, { client: wallet }] = [await open(), await open({ name: 'wallet' })]
  const proposed = Promise.withResolvers<string>()
  wallet.on('session_proposal', ({ verifyContext }) => proposed.resolve(verifyContext.verified.origin))
  const { uri = '' } = await app.connect(wanted)
  await wallet.core.pairing.pair({ uri })
  expect(await proposed.promise).toBe('')
  expect(fetched).not.toHaveBeenCalled()
  expect(await app.core.verify.register({ id: 'a', decryptedId: 'b' })).toBe('')
})

test('opens no connection after it was closed', async () => {
  const { client, close, attempts } = await open()
  const { relayer } = client.core
  await client.connect(wanted)
  const before = await attempts()
  const { connections } = await sandbox.relay()
  close()
  await expect.poll(async () => (await sandbox.relay()).connections).toBe(connections - 1)
  await expect(relayer.transportOpen()).rejects.toThrow('No connection')
  await expect(relayer.restartTransport()).rejects.toThrow('No connection')
  await expect(relayer.request(subscribing)).rejects.toThrow('No connection')
  await expect(relayer.subscribe('b'.repeat(64))).rejects.toThrow('No connection')
  expect(await attempts()).toBe(before)
})

test('connects for a request, but not for an existing subscription', async () => {
  const { client, attempts } = await open()
  await expect(client.core.relayer.request(subscribingAgain)).rejects.toThrow('No connection')
  expect(await attempts()).toBe(0)
  await client.core.relayer.request(subscribing)
  expect(await attempts()).toBe(1)
})

test('frees its name when it is closed', async () => {
  const warned = vi.spyOn(console, 'warn')
  const first = await open()
  first.close()
  expect(Object.keys(globalThis).filter((name) => name.startsWith('_walletConnectCore_'))).toEqual([])
  const second = await open()
  expect(second.client.core).not.toBe(first.client.core)
  expect((await second.client.connect(wanted)).uri).toMatch(/^wc:/)
  expect(warned).not.toHaveBeenCalled()
})

test.each([
  ['that remembers nothing', 0, undefined],
  ['with a storage', 1, makeStorage()],
])(
  'of the one message that it is handling, a client %s takes %i as left from an earlier run',
  async (_, count, storage) => {
    const { client } = await open({ ...(storage && { storage }) })
    const { messages } = client.core.relayer
    const connected = Promise.withResolvers<readonly string[]>()
    client.on('session_connect', ({ session: { topic } }) =>
      connected.resolve(Object.values(messages.getWithoutAck([topic])).flat()),
    )
    const { uri = '', approval } = await client.connect(wanted)
    const approved = approval()
    await sandbox.phone.join(uri)
    await sandbox.phone.says('approve')
    expect(await connected.promise).toHaveLength(count)
    await approved
    await sandbox.phone.leave()
  },
)

function makeStorage(): Storage {
  const kept = new Map<string, unknown>()
  return {
    getKeys: async () => [...kept.keys()],
    getEntries: async () => [],
    getItem: async () => undefined,
    setItem: async (key, value) => void kept.set(key, value),
    removeItem: async (key) => void kept.delete(key),
  }
}
