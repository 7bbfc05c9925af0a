/** Fakes of a dapp, a relay, the storage and the tabs of a browser. */
import { makeFakeClock } from '../../testing/clock.ts'
import type { HoldTab } from './browser.ts'
import type {
  DappAnswer,
  DappClient,
  DappEvents,
  DappProposal,
  DappRequest,
  DappSession,
  OpenDappClient,
} from './dapp-client.ts'
import type { Kept } from './kept.ts'
import type { Refusal } from './refusals.ts'

export const topic = 'a1'.repeat(32)
export const uri = `wc:${topic}@2?relay-protocol=irn&symKey=${'b2'.repeat(32)}`
export const market = { name: 'Tide Market', url: 'https://market.tides.example/swap' }

export const proposalOf = (change: Partial<DappProposal> = {}): DappProposal => ({
  id: 7,
  pairingTopic: topic,
  metadata: market,
  required: {},
  optional: { eip155: { chains: ['eip155:1'], methods: ['personal_sign'], events: [] } },
  expiresAtMs: makeFakeClock().nowMs() + 300_000,
  ...change,
})

export function makeRelay() {
  const relay = {
    opened: 0,
    closed: 0,
    events: undefined as DappEvents | undefined,
    sessions: [] as DappSession[],
    rejected: [] as Refusal[],
    answers: [] as { id: number; answer: DappAnswer }[],
    moved: [] as number[],
    /** Runs after the wallet has paired with the dapp. */
    onPair: (() => {}) as () => void,
    pairing: (async () => {}) as () => Promise<void>,
    opening: (async () => {}) as () => Promise<void>,
    saying: (async () => {}) as () => Promise<void>,
    ask: (change: Partial<DappRequest> = {}) =>
      relay.events?.asked({
        id: 1,
        topic: 'session-7',
        chain: 'eip155:1',
        method: 'personal_sign',
        params: ['0x48656c6c6f', '0x0'],
        expiresAtMs: Number.POSITIVE_INFINITY,
        ...change,
      }),
    codes: () => relay.answers.map(({ answer }) => ('error' in answer ? answer.error.code : answer.result)),
  }
  const client: DappClient = {
    async pair() {
      await relay.pairing()
      relay.onPair()
    },
    unpair: async () => {},
    async approve(id, { eip155 }) {
      const session = { topic: `session-${id}`, metadata: market, chains: eip155.chains }
      relay.sessions = [...relay.sessions, session]
      return session
    },
    async reject(_id, refusal) {
      relay.rejected.push(refusal)
    },
    sessions: () => relay.sessions,
    async respond({ id }, answer) {
      relay.answers.push({ id, answer })
    },
    async moveTo(_topic, _namespaces, chainId) {
      relay.moved.push(chainId)
    },
    async end(ended) {
      await relay.saying()
      relay.sessions = relay.sessions.filter((each) => each.topic !== ended)
    },
    close() {
      relay.closed += 1
    },
  }
  const open: OpenDappClient = async (_settings, events) => {
    await relay.opening()
    relay.opened += 1
    relay.events = events
    return client
  }
  return Object.assign(relay, { open })
}

/** Creates a fake storage with one list per user. */
export function makeKept() {
  const lists = new Map<string, Awaited<ReturnType<Kept['list']>>>()
  const forgotten: string[] = []
  return {
    lists,
    forgotten,
    open: ({ userId }: { userId: string }): Kept => ({
      list: async () => lists.get(userId) ?? [],
      async writeList(dapps) {
        lists.set(userId, dapps)
      },
      storage: {
        getKeys: async () => [],
        getEntries: async () => [],
        getItem: async () => undefined,
        setItem: async () => {},
        removeItem: async () => {},
      },
      async forget() {
        lists.delete(userId)
        forgotten.push(userId)
      },
    }),
  }
}

/** Creates a fake lock between tabs, which a tab steals or waits for. */
export function makeTabs(): HoldTab {
  let present: { controller: AbortController; over: Promise<void> } | undefined
  return async function hold(_name, takes, run) {
    while (present && !takes) await present.over.catch(() => {})
    present?.controller.abort()
    const controller = new AbortController()
    const over = run(controller.signal)
    const mine = { controller, over }
    present = mine
    await over.finally(() => {
      if (present === mine) present = undefined
    })
  }
}
