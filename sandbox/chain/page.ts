/** The block explorer page: chain facts, the faucet form and the latest transactions. */
import { emptyState, escapeHtml, facts, sandboxPage } from '../pages/layout.ts'

/** Calls a JSON-RPC method of the node and returns its result. */
export type RpcClient = (method: string, ...params: readonly unknown[]) => Promise<unknown>

export const createRpcClient =
  (url: string): RpcClient =>
  async (method, ...params) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    const answer = Object(await response.json())
    if ('error' in answer) throw new Error(`${method}: ${JSON.stringify(answer.error)}`)
    return answer.result
  }

const maxTransactions = 10
const searchedBlocks = 50

type Transaction = {
  hash: string
  from: string
  to: string
  value: bigint
}

const getText = (value: unknown, name: string) => String(Object(value)[name] ?? '')

const parseTransactions = (block: unknown): readonly Transaction[] => {
  const all: unknown = Object(block).transactions
  return (Array.isArray(all) ? all : []).map((one) => ({
    hash: getText(one, 'hash'),
    from: getText(one, 'from'),
    to: getText(one, 'to') || 'a new contract',
    value: BigInt(getText(one, 'value')),
  }))
}

async function getLastTransactions(rpc: RpcClient, newest: number): Promise<readonly Transaction[]> {
  const oldest = Math.max(0, newest - searchedBlocks + 1)
  const numbers = Array.from({ length: newest - oldest + 1 }, (_, at) => newest - at)
  const blocks = await Promise.all(
    numbers.map((number) => rpc('eth_getBlockByNumber', `0x${number.toString(16)}`, true)),
  )
  return blocks.flatMap(parseTransactions).slice(0, maxTransactions)
}

/** Formats wei as coins: 10_000_000_000_000_000 becomes 0.01. */
export const formatCoins = (wei: bigint): string => {
  const digits = wei.toString().padStart(19, '0')
  return `${digits.slice(0, -18)}.${digits.slice(-18)}`.replace(/\.?0+$/, '')
}

const row = ({ hash, from, to, value }: Transaction) =>
  `<li><h2>${formatCoins(value)} ETH</h2><p><code>${escapeHtml(hash)}</code></p><p>from <code>${escapeHtml(from)}</code> to <code>${escapeHtml(to)}</code></p></li>`

export const getBlockNumber = async (rpc: RpcClient): Promise<number> => Number(await rpc('eth_blockNumber'))

const faucetForm = `<form class="panel" method="post" action="/faucet">
<label>Address <input name="address" required autocomplete="off" spellcheck="false" placeholder="0x…"></label>
<div class="actions"><button class="primary">Send me one coin</button></div>
</form>`

export async function chainPage(chain: {
  rpc: RpcClient
  chainId: number
  url: string
  usd: number
}): Promise<string> {
  const newest = await getBlockNumber(chain.rpc)
  const transactions = await getLastTransactions(chain.rpc, newest)
  return sandboxPage({
    here: '/chain',
    lead: 'A real chain of one machine: it carries out what is sent to it, and what it moves is worth nothing elsewhere.',
    live: '/api/chain/head',
    body: `${facts([
      ['Block', String(newest)],
      ['Chain', String(chain.chainId)],
      ['Node', `<code>${escapeHtml(chain.url)}</code>`],
      ['Price of a coin', `$${chain.usd.toLocaleString('en-US')}`],
    ])}
${faucetForm}
${
  transactions.length === 0
    ? emptyState('No transactions yet', 'Send something on the demo, and it shows up here.')
    : `<ul class="rows">${transactions.map(row).join('')}</ul>`
}`,
  })
}

export const noChainPage = (): string =>
  sandboxPage({
    here: '/chain',
    lead: 'A real chain of one machine.',
    body: emptyState('There is no chain', 'The sandbox was started with --chain-port off.'),
  })
