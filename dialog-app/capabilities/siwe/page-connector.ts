/** A wallet that an extension has put into the host's page, and that the page lends. */
import { LatchkeyError } from '@latchkey/protocol'
import { hex as base16 } from '@scure/base'
import * as v from 'valibot'
import type { WalletsOfHost } from '../../ports.ts'
import type { Connector, WalletAsker } from './connector.ts'

export function pageConnector(walletsOfHost: WalletsOfHost, wallet: string): Connector {
  async function ask<Schema extends v.GenericSchema>(
    method: string,
    params: readonly unknown[],
    schema: Schema,
    asker: WalletAsker,
  ): Promise<v.InferOutput<Schema>> {
    const said = await walletsOfHost.request({ wallet, method, params }, asker).catch((error: unknown) => {
      throw refusalOf(error)
    })
    const parsed = v.safeParse(schema, said)
    if (parsed.success) return parsed.output
    throw new LatchkeyError(
      'generic_connect_wallet_error',
      `The wallet answered ${method} with something else`,
    )
  }

  return {
    connectorType: 'injected',
    async connect(asker) {
      const [address] = await ask('eth_requestAccounts', [], accounts, asker)
      return { address, chainId: await ask('eth_chainId', [], chain, asker) }
    },
    sign: (message, address, asker) => ask('personal_sign', [hexOf(message), address], hex, asker),
    switchChain: async (chainId, asker) =>
      void (await ask(
        'wallet_switchEthereumChain',
        [{ chainId: `0x${chainId.toString(16)}` }],
        v.unknown(),
        asker,
      )),
  }
}

const hex = v.pipe(v.string(), v.regex(/^0x([0-9a-fA-F]{2})*$/))
const address = v.pipe(v.string(), v.regex(/^0x[0-9a-fA-F]{40}$/))
/** The first is the one that its user has in use. */
const accounts = v.looseTuple([address])
/** In hexadecimal, as EIP-695 has it; a few wallets say a number. */
const chain = v.pipe(v.union([v.string(), v.number()]), v.transform(Number), v.safeInteger(), v.minValue(1))

const hexOf = (text: string) => `0x${base16.encode(new TextEncoder().encode(text))}`

/** https://eips.ethereum.org/EIPS/eip-3085: the wallet has no such chain. */
const unrecognizedChain = 4902

function refusalOf(error: unknown): unknown {
  if (!(error instanceof LatchkeyError)) return error
  if (error.code === 'call_timeout') {
    return new LatchkeyError('client_request_timeout', 'The wallet did not answer in time', { cause: error })
  }
  return Object(error.details).code === unrecognizedChain
    ? new LatchkeyError('unsupported_chain_id', 'The wallet does not know this chain', { cause: error })
    : error
}
