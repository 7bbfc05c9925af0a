/** Connects a wallet extension through the host page, which forwards the requests. */
import { type ErrorCode, LatchkeyError, solanaAddress } from '@latchkey/protocol'
import { solanaConnectMethod, solanaSignInMethod, type WalletAnswer } from '@latchkey/protocol/host'
import * as v from 'valibot'
import { textToHex } from '../../../browser/hex.ts'
import type { HostPage } from '../../../browser/ports.ts'
import { type Connector, isSameAddress, paymentParams, type WalletAsker } from './connector.ts'

/** Sends requests to a wallet of the page, and parses its answers. */
const createAsk =
  (page: HostPage, wallet: string) =>
  async <Schema extends v.GenericSchema>(
    method: string,
    params: readonly unknown[],
    schema: Schema,
    asker: WalletAsker,
  ): Promise<v.InferOutput<Schema>> => {
    const answer = await page.request({ wallet, method, params }, asker).catch(throwTimeout)
    if ('refused' in answer) throw toRefusal(answer.refused)
    const parsed = v.safeParse(schema, answer.result)
    if (parsed.success) return parsed.output
    throw new LatchkeyError(
      'generic_connect_wallet_error',
      `The wallet answered ${method} with something else`,
    )
  }

export function pageConnector(page: HostPage, wallet: string): Connector {
  const ask = createAsk(page, wallet)
  return {
    connectorType: 'injected',
    async connect({ wanted, ...asker }) {
      const all = await ask('eth_requestAccounts', [], accounts, asker)
      const address = all.find((each) => wanted !== undefined && isSameAddress(each, wanted)) ?? all[0]
      return { address, chainId: await ask('eth_chainId', [], chain, asker) }
    },
    sign: (message, address, asker) => ask('personal_sign', [textToHex(message), address], hex, asker),
    pay: (payment, asker) => ask('eth_sendTransaction', paymentParams(payment), hash, asker),
    switchChain: async (chainId, asker) =>
      void (await ask(
        'wallet_switchEthereumChain',
        [{ chainId: `0x${chainId.toString(16)}` }],
        v.unknown(),
        asker,
      )),
  }
}

/** Connects a Solana wallet, which only logs in. */
export function solanaPageConnector(page: HostPage, wallet: string): Connector {
  const ask = createAsk(page, wallet)
  const refuse = () => Promise.reject(new LatchkeyError('not_supported', 'A Solana wallet only logs in'))
  return {
    connectorType: 'wallet_standard',
    async connect(asker) {
      const [address] = await ask(solanaConnectMethod, [], solanaAccounts, { signal: asker.signal })
      return { address, chainId: 0 }
    },
    signIn: (login, asker) => ask(solanaSignInMethod, [login], signedLogin, asker),
    sign: refuse,
    pay: refuse,
  }
}

const solanaAccounts = v.pipe(
  v.array(solanaAddress),
  v.minLength(1),
  v.transform((all) => all as [string, ...string[]]),
)
const hex = v.pipe(v.string(), v.regex(/^0x([0-9a-fA-F]{2})*$/))
const signedLogin = v.object({ message: v.string(), signature: hex })
const hash = v.pipe(v.string(), v.regex(/^0x[0-9a-fA-F]{64}$/))
const address = v.pipe(v.string(), v.regex(/^0x[0-9a-fA-F]{40}$/))
/** The first account is the user's active one. */
const accounts = v.pipe(
  v.array(address),
  v.minLength(1),
  v.transform((all) => all as [string, ...string[]]),
)
/** EIP-695 requires a hex string, but a few wallets return a number. */
const chain = v.pipe(v.union([v.string(), v.number()]), v.transform(Number), v.safeInteger(), v.minValue(1))

/**
 * Maps wallet errors to Latchkey error codes: 4001 of EIP-1193, 4902 of https://eips.ethereum.org/EIPS/eip-3326, and
 * -32002 of EIP-1474 for a request that is still pending.
 */
const refusals: { [code: number]: ErrorCode } = {
  4001: 'user_rejected_request',
  4902: 'unsupported_chain_id',
  [-32002]: 'wallet_request_pending',
}

type Refused = Extract<WalletAnswer, { refused: unknown }>['refused']

function toRefusal({ code, message, data }: Refused) {
  const errorCode = code === null ? undefined : refusals[code]
  return new LatchkeyError(errorCode ?? 'generic_connect_wallet_error', message, {
    details: { code, ...(data !== undefined && { data }) },
  })
}

function throwTimeout(error: unknown): never {
  if (!(error instanceof LatchkeyError) || error.code !== 'call_timeout') throw error
  throw new LatchkeyError('client_request_timeout', 'The wallet did not answer in time', { cause: error })
}
