/** The chain for a person: that it goes on, what stands in its last blocks, and what an address has. */
import { emptyState, escaped, facts, sandboxPage } from '../pages/layout.ts'

/** Asks the node; what it answers is the result. */
export type AskChain = (method: string, ...params: readonly unknown[]) => Promise<unknown>

export const askChainAt =
  (url: string): AskChain =>
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

const shownTransactions = 10
const lookedAtBlocks = 50

type Transaction = {
  hash: string
  from: string
  to: string
  value: bigint
}

const textIn = (value: unknown, name: string) => String(Object(value)[name] ?? '')

const transactionsOf = (block: unknown): readonly Transaction[] => {
  const all: unknown = Object(block).transactions
  return (Array.isArray(all) ? all : []).map((one) => ({
    hash: textIn(one, 'hash'),
    from: textIn(one, 'from'),
    to: textIn(one, 'to') || 'a new contract',
    value: BigInt(textIn(one, 'value')),
  }))
}

async function lastTransactions(ask: AskChain, newest: number): Promise<readonly Transaction[]> {
  const oldest = Math.max(0, newest - lookedAtBlocks + 1)
  const numbers = Array.from({ length: newest - oldest + 1 }, (_, at) => newest - at)
  const blocks = await Promise.all(
    numbers.map((number) => ask('eth_getBlockByNumber', `0x${number.toString(16)}`, true)),
  )
  return blocks.flatMap(transactionsOf).slice(0, shownTransactions)
}

/** 10_000_000_000_000_000 is read as 0.01. */
export const inCoins = (wei: bigint): string => {
  const digits = wei.toString().padStart(19, '0')
  return `${digits.slice(0, -18)}.${digits.slice(-18)}`.replace(/\.?0+$/, '')
}

const row = ({ hash, from, to, value }: Transaction) =>
  `<li><h2>${inCoins(value)} ETH</h2><p><code>${escaped(hash)}</code></p><p>from <code>${escaped(from)}</code> to <code>${escaped(to)}</code></p></li>`

export const newestBlock = async (ask: AskChain): Promise<number> => Number(await ask('eth_blockNumber'))

const faucetForm = `<form class="panel" method="post" action="/faucet">
<label>Address <input name="address" required autocomplete="off" spellcheck="false" placeholder="0x…"></label>
<div class="actions"><button class="primary">Send me one coin</button></div>
</form>`

export async function chainPage(chain: {
  ask: AskChain
  chainId: number
  url: string
  usd: number
}): Promise<string> {
  const newest = await newestBlock(chain.ask)
  const transactions = await lastTransactions(chain.ask, newest)
  return sandboxPage({
    here: '/chain',
    lead: 'A real chain of one machine: it carries out what is sent to it, and what it moves is worth nothing elsewhere.',
    live: '/api/chain/head',
    body: `${facts([
      ['Block', String(newest)],
      ['Chain', String(chain.chainId)],
      ['Node', `<code>${escaped(chain.url)}</code>`],
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

export const withoutChainPage = (): string =>
  sandboxPage({
    here: '/chain',
    lead: 'A real chain of one machine.',
    body: emptyState('There is no chain', 'The sandbox was started with --chain-port off.'),
  })
