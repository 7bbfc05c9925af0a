/** Renders docs/reference/ethereum-methods.md from the method table of the provider. */
import { type EthereumMethodRow, ethereumMethods } from '../capabilities/ethereum/methods.ts'
import { markdownPage, markdownTable } from './markdown.ts'

const describeAnswer = ({ by, policy }: EthereumMethodRow) =>
  by === 'chain'
    ? 'an RPC node of the app'
    : policy === 'needs-user'
      ? 'the user, in the dialog'
      : 'the wallet'

function describeParams({ params, required = params.length }: EthereumMethodRow): string {
  if (required === params.length) return String(required)
  return `${required} to ${params.length}`
}

export function renderEthereumMethods(): string {
  return markdownPage(
    'EIP-1193 methods',
    'The methods of the provider that `getEthereumProvider()` returns. Other methods reject with -32601. `eth_sign`, `eth_sendRawTransaction` and `wallet_watchAsset` reject with 4200 and a reason. Invalid params reject with -32602 and the path. [The loader](../../loader/README.md#a-provider-for-libraries) describes errors, events and chains.',
    markdownTable(
      ['method', 'answered by', 'params', 'deadline'],
      Object.entries<EthereumMethodRow>(ethereumMethods).map(([method, row]) => [
        `\`${method}\``,
        describeAnswer(row),
        describeParams(row),
        row.deadlineMs === undefined ? 'none' : `${row.deadlineMs / 1_000} s`,
      ]),
    ),
  )
}
