/**
 * A wallet on somebody's phone: it has a key of its own, joins whoever showed it a link, and asks its owner before it
 * does anything. It is the official client, so that what talks to it talks to what real wallets are made of.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { type Client, closeClient, openClient } from './client.ts'

/** A request that waits for the owner of the phone. */
export type Asked = {
  id: number
  /** Name and address of who asks, as they say themselves. */
  from: { name: string; url: string }
} & (
  | { type: 'session'; chains: readonly string[]; methods: readonly string[] }
  | { type: 'sign'; chain: string; message: string; raw: Hex }
  | { type: 'switch'; chain: string; to: string }
)

export type Phone = {
  state: () => {
    address: string
    asked: readonly Asked[]
    sessions: readonly { topic: string; name: string; url: string }[]
  }
  /** Joins whoever made the link; rejects where it is none, or is used or expired. */
  pair: (uri: string) => Promise<void>
  /** The one that waits longest, waiting for it; undefined when the signal ended. */
  nextAsked: (signal: AbortSignal) => Promise<Asked | undefined>
  /** Gives false if no request of this id waits. */
  answer: (id: number, answer: 'approve' | 'reject') => Promise<boolean>
  /** Ends its sessions, as its owner would. */
  leave: () => Promise<void>
  /** Leaves, and is another's phone from now on. */
  reset: () => Promise<void>
  stop: () => Promise<void>
}

const isHex = (value: unknown): value is Hex => typeof value === 'string' && /^0x([0-9a-f]{2})*$/i.test(value)

const knownMethods = ['personal_sign', 'eth_accounts', 'eth_requestAccounts', 'wallet_switchEthereumChain']
const knownEvents = ['chainChanged', 'accountsChanged']
/** Ethereum, Optimism, Base, and the chain of the sandbox. */
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

/** Tells the accounts again if needed, because the other client may miss what comes right after a session began. */
async function tellAccounts(client: Client, topic: string, namespaces: Namespaces) {
  for (let tried = 1; tried <= UPDATE_TRIES; tried += 1) {
    const { acknowledged } = await client.update({ topic, namespaces })
    const heard = acknowledged().then(() => true)
    if (await Promise.race([heard, sleep(UPDATE_MS, false)])) return
    heard.catch(() => {})
  }
}

export function createPhone(relayUrl: () => string): Phone {
  let account = privateKeyToAccount(generatePrivateKey())
  let opening: Promise<Client> | undefined
  let opened: Client | undefined
  let asked: readonly (Asked & { topic: string })[] = []
  const watching = new Set<() => void>()

  const changed = () => {
    const woken = [...watching]
    watching.clear()
    for (const wake of woken) wake()
  }
  const ask = (one: Asked & { topic: string }) => {
    asked = [...asked, one]
    changed()
  }
  const open = async () => {
    opened = await openClient({ name: 'Sandbox phone', relayUrl: relayUrl() })
    listen(opened)
    return opened
  }
  const client = () => {
    opening ??= open()
    return opening
  }

  const listen = (client: Client) => {
    client.on('session_proposal', ({ id, params }) => {
      const { name, url } = params.proposer.metadata
      const namespaces = [params.requiredNamespaces, params.optionalNamespaces].map(({ eip155 }) => eip155)
      const wanted = (of: 'chains' | 'methods') => [...new Set(namespaces.flatMap((one) => one?.[of] ?? []))]
      const { pairingTopic: topic } = params
      ask({
        type: 'session',
        id,
        topic,
        from: { name, url },
        chains: wanted('chains'),
        methods: wanted('methods'),
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
      asked = asked.filter((one) => one.topic !== topic)
    }
    client.on('session_delete', forget)
    client.core.pairing.events.on('pairing_delete', forget)
    client.on('proposal_expire', ({ id }) => {
      asked = asked.filter((one) => one.id !== id)
    })
  }

  const approveSession = async (client: Client, { id, chains }: Asked & { type: 'session' }) => {
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
    await tellAccounts(client, topic, { eip155 })
    return { result: null }
  }

  const leave = async () => {
    asked = []
    for (const topic of opened?.session.keys ?? []) {
      await opened?.disconnect({ topic, reason: userDisconnected })
    }
  }

  return {
    state: () => ({
      address: account.address,
      asked: asked.map(({ topic: _, ...one }) => one),
      sessions: (opened?.session.getAll() ?? []).map(({ topic, peer }) => ({
        topic,
        name: peer.metadata.name,
        url: peer.metadata.url,
      })),
    }),
    pair: async (uri) => void (await (await client()).pair({ uri })),
    async nextAsked(signal) {
      const over = new Promise<void>((resolve) =>
        signal.addEventListener('abort', () => resolve(), { once: true }),
      )
      while (asked.length === 0 && !signal.aborted) {
        await Promise.race([new Promise<void>((resolve) => watching.add(resolve)), over])
      }
      return asked[0]
    },
    async answer(id, answer) {
      const one = asked.find((waiting) => waiting.id === id)
      if (one === undefined) return false
      asked = asked.filter((waiting) => waiting !== one)
      const present = await client()
      const { topic } = one
      const respond = (said: { result: unknown } | { error: { code: number; message: string } }) =>
        present.respond({ topic, response: { jsonrpc: '2.0', id, ...said } })
      if (one.type === 'session') {
        if (answer === 'approve') await approveSession(present, one)
        else await present.reject({ id, reason: userRejected })
      } else if (answer === 'reject') await respond({ error: userRejectedRequest })
      else if (one.type === 'switch') await respond(await switchChain(present, one))
      else await respond({ result: await account.signMessage({ message: { raw: one.raw } }) })
      return true
    },
    leave,
    async reset() {
      await leave()
      account = privateKeyToAccount(generatePrivateKey())
    },
    async stop() {
      if (opening) await closeClient(await opening)
    },
  }
}
