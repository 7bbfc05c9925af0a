/**
 * A mobile wallet with its own key, for tests. It uses the official client, so the product talks to the same
 * code as real wallets do.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { type Client, closeClient, openClient } from './client.ts'

/** A request that waits for the user of the phone. */
export type PhoneRequest = {
  id: number
  /** The name and address that the requester declares. */
  from: { name: string; url: string }
} & (
  | { type: 'session'; chains: readonly string[]; methods: readonly string[] }
  | { type: 'sign'; chain: string; message: string; raw: Hex }
  | { type: 'switch'; chain: string; to: string }
)

export type Phone = {
  state: () => {
    address: string
    asked: readonly PhoneRequest[]
    sessions: readonly { topic: string; name: string; url: string }[]
  }
  /** Pairs with a link. Rejects if the link is invalid, used or expired. */
  pair: (uri: string) => Promise<void>
  /** Resolves with the oldest request, or undefined when the signal aborts. */
  waitForRequest: (signal: AbortSignal) => Promise<PhoneRequest | undefined>
  /** Returns false if no request has this id. */
  answer: (id: number, answer: 'approve' | 'reject') => Promise<boolean>
  /** Ends all sessions. */
  disconnect: () => Promise<void>
  /** Ends all sessions and creates a new key. */
  reset: () => Promise<void>
  stop: () => Promise<void>
}

const isHex = (value: unknown): value is Hex => typeof value === 'string' && /^0x([0-9a-f]{2})*$/i.test(value)

const knownMethods = ['personal_sign', 'eth_accounts', 'eth_requestAccounts', 'wallet_switchEthereumChain']
const knownEvents = ['chainChanged', 'accountsChanged']
/** Ethereum, Optimism, Base and the sandbox chain. */
const knownChains = ['eip155:1', 'eip155:10', 'eip155:8453', 'eip155:31337']

const userRejected = { code: 5000, message: 'User rejected.' } as const
const userRejectedRequest = { code: 4001, message: 'User rejected the request.' } as const
const unknownMethod = { code: -32_601, message: 'The method does not exist / is not available.' } as const
const unreadable = { code: -32_602, message: 'Invalid parameters were provided to the RPC method.' } as const
const unknownChain = { code: 4902, message: 'Unrecognized chain ID.' } as const
const userDisconnected = { code: 6000, message: 'User disconnected.' } as const

type Namespaces = Parameters<Client['update']>[0]['namespaces']
const UPDATE_TRIES = 4
const UPDATE_MS = 1_500

/**
 * Sends the accounts until the peer acknowledges them. A peer may miss messages right after the session
 * started.
 */
async function sendAccounts(client: Client, topic: string, namespaces: Namespaces) {
  for (let tried = 1; tried <= UPDATE_TRIES; tried += 1) {
    const { acknowledged } = await client.update({ topic, namespaces })
    const acknowledgement = acknowledged().then(() => true)
    if (await Promise.race([acknowledgement, sleep(UPDATE_MS, false)])) return
    acknowledgement.catch(() => {})
  }
}

export function createPhone(relayUrl: () => string): Phone {
  let account = privateKeyToAccount(generatePrivateKey())
  let opening: Promise<Client> | undefined
  let openedClient: Client | undefined
  let requests: readonly (PhoneRequest & { topic: string })[] = []
  const watching = new Set<() => void>()

  const notifyWatchers = () => {
    const woken = [...watching]
    watching.clear()
    for (const wake of woken) wake()
  }
  const ask = (one: PhoneRequest & { topic: string }) => {
    requests = [...requests, one]
    notifyWatchers()
  }
  const open = async () => {
    openedClient = await openClient({ name: 'Sandbox phone', relayUrl: relayUrl() })
    listen(openedClient)
    return openedClient
  }
  const client = () => {
    opening ??= open()
    return opening
  }

  const listen = (client: Client) => {
    client.on('session_proposal', ({ id, params }) => {
      const { name, url } = params.proposer.metadata
      const namespaces = [params.requiredNamespaces, params.optionalNamespaces].map(({ eip155 }) => eip155)
      const collect = (of: 'chains' | 'methods') => [...new Set(namespaces.flatMap((one) => one?.[of] ?? []))]
      const { pairingTopic: topic } = params
      ask({
        type: 'session',
        id,
        topic,
        from: { name, url },
        chains: collect('chains'),
        methods: collect('methods'),
      })
    })
    client.on('session_request', ({ id, topic, params: { chainId: chain, request } }) => {
      const { name, url } = client.session.get(topic).peer.metadata
      const common = { id, topic, from: { name, url }, chain }
      const refuse = (error: { code: number; message: string }) =>
        client.respond({ topic, response: { jsonrpc: '2.0', id, error } })
      if (request.method === 'personal_sign') {
        const [raw] = request.params ?? []
        if (!isHex(raw)) return refuse(unreadable)
        ask({ ...common, type: 'sign', raw, message: Buffer.from(raw.slice(2), 'hex').toString('utf8') })
      } else if (request.method === 'wallet_switchEthereumChain') {
        ask({ ...common, type: 'switch', to: `eip155:${Number(request.params?.[0]?.chainId)}` })
      } else if (['eth_accounts', 'eth_requestAccounts'].includes(request.method)) {
        client.respond({ topic, response: { jsonrpc: '2.0', id, result: [account.address] } })
      } else refuse(unknownMethod)
    })
    const forget = ({ topic }: { topic: string }) => {
      requests = requests.filter((one) => one.topic !== topic)
    }
    client.on('session_delete', forget)
    client.core.pairing.events.on('pairing_delete', forget)
    client.on('proposal_expire', ({ id }) => {
      requests = requests.filter((one) => one.id !== id)
    })
  }

  const approveSession = async (client: Client, { id, chains }: PhoneRequest & { type: 'session' }) => {
    const both = chains.filter((chain) => knownChains.includes(chain))
    const accounts = (both.length === 0 ? knownChains.slice(0, 1) : both).map(
      (chain) => `${chain}:${account.address}`,
    )
    const eip155 = { accounts, methods: knownMethods, events: knownEvents }
    await client.approve({ id, namespaces: { eip155 } })
  }

  const switchChain = async (client: Client, { topic, to }: { topic: string; to: string }) => {
    if (!knownChains.includes(to)) return { error: unknownChain }
    const { namespaces } = client.session.get(topic)
    const accounts = [...new Set([...(namespaces.eip155?.accounts ?? []), `${to}:${account.address}`])]
    const eip155 = { accounts, methods: knownMethods, events: knownEvents }
    await sendAccounts(client, topic, { eip155 })
    return { result: null }
  }

  const disconnect = async () => {
    requests = []
    for (const topic of openedClient?.session.keys ?? []) {
      await openedClient?.disconnect({ topic, reason: userDisconnected })
    }
  }

  return {
    state: () => ({
      address: account.address,
      asked: requests.map(({ topic: _, ...one }) => one),
      sessions: (openedClient?.session.getAll() ?? []).map(({ topic, peer }) => ({
        topic,
        name: peer.metadata.name,
        url: peer.metadata.url,
      })),
    }),
    pair: async (uri) => void (await (await client()).pair({ uri })),
    async waitForRequest(signal) {
      const over = new Promise<void>((resolve) =>
        signal.addEventListener('abort', () => resolve(), { once: true }),
      )
      while (requests.length === 0 && !signal.aborted) {
        await Promise.race([new Promise<void>((resolve) => watching.add(resolve)), over])
      }
      return requests[0]
    },
    async answer(id, answer) {
      const one = requests.find((waiting) => waiting.id === id)
      if (one === undefined) return false
      requests = requests.filter((waiting) => waiting !== one)
      const present = await client()
      const { topic } = one
      const respond = (outcome: { result: unknown } | { error: { code: number; message: string } }) =>
        present.respond({ topic, response: { jsonrpc: '2.0', id, ...outcome } })
      if (one.type === 'session') {
        if (answer === 'approve') await approveSession(present, one)
        else await present.reject({ id, reason: userRejected })
      } else if (answer === 'reject') await respond({ error: userRejectedRequest })
      else if (one.type === 'switch') await respond(await switchChain(present, one))
      else await respond({ result: await account.signMessage({ message: { raw: one.raw } }) })
      return true
    },
    disconnect,
    async reset() {
      await disconnect()
      account = privateKeyToAccount(generatePrivateKey())
    },
    async stop() {
      if (opening) await closeClient(await opening)
    },
  }
}
