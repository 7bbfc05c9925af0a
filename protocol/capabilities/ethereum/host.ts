/** The embedded wallet as a provider for libraries: what it asks of the dialog. */
import * as v from 'valibot'
import { evmAddress } from '../../entities/wallets/chain-primitives.ts'
import { channelLimits } from '../../limits/limits.ts'
import type { HostCallDoc, HostCallRows } from '../../rows/host-call.ts'

const text = v.string()
const address = v.string() as v.GenericSchema<string, `0x${string}`>
/**
 * The page of the wallet's origin on which is confirmed what no card may approve, and how to tell that a request needs
 * it: then the loader opens it in the click that asked. What it opens decides nothing by itself.
 */
const confirmPage = v.object({
  address: text,
  /** Typed data that the operator lets a card approve. */
  typedDataOnCard: v.array(v.object({ contract: text, primaryType: text })),
  /** Chains on which nothing is worth anything, so that a card approves every transaction. */
  testNetworks: v.array(v.number()),
})
export type ConfirmPage = v.InferOutput<typeof confirmPage>
/** Whose provider it is. Of an icon that is not in its own address none is said. */
const announced = v.object({ name: text, icon: v.exactOptional(text) })
/**
 * The address of a wallet of another app that the user has linked; the embedded wallet is meant where there is none.
 */
const wallet = v.exactOptional(evmAddress)
/** The row of a method in `methods.ts` says what its params may be. */
const request = v.object({
  method: v.pipe(text, v.maxLength(channelLimits.maxIdLength)),
  params: v.array(v.unknown()),
  wallet,
})

export const ethereumCalls = {
  /** `announce`: whether the page wants to announce the provider, and under which name. */
  ethereumState: {
    policy: 'headless',
    input: v.object({ announce: v.exactOptional(v.boolean()), wallet }),
  },
  ethereumRequest: { policy: 'headless', input: request },
  ethereumRead: {
    policy: 'headless',
    queue: 'reads',
    input: request,
    maxBytes: channelLimits.maxTypedDataBytes,
  },
  ethereumRequestForUser: {
    policy: 'needs-user',
    input: request,
    maxBytes: channelLimits.maxTypedDataBytes,
  },
} as const satisfies HostCallRows

/** What the chain or the provider itself refuses is an answer, by the codes of EIP-1193 and JSON-RPC. */
const answer = v.union([
  v.object({
    refused: v.object({ code: v.number(), message: text, data: v.exactOptional(v.unknown()) }),
  }),
  v.object({ result: v.unknown() }),
])
export type EthereumAnswer = v.InferOutput<typeof answer>

export const ethereumAnswers = {
  ethereumState: v.object({
    chainId: v.number(),
    accounts: v.array(address),
    announced: v.exactOptional(announced),
    confirmPage: v.exactOptional(confirmPage),
    /** The wallet of another app that was asked for, by its address, and whether it is to be announced. */
    linked: v.exactOptional(v.object({ address, appId: text, isAnnounced: v.boolean() })),
  }),
  ethereumRequest: answer,
  ethereumRead: answer,
  ethereumRequestForUser: answer,
} as const

export const ethereumEvents = {
  /** The wallet was moved to another of the app's chains. */
  chainChanged: v.object({ chainId: v.number() }),
  /** The page's libraries are to be told of the provider (EIP-6963). */
  provider: v.object({ ...announced.entries, confirmPage: v.exactOptional(confirmPage) }),
} as const

export const ethereumDoc: HostCallDoc<typeof ethereumCalls> = {
  ethereumState: {
    summary:
      'What a provider begins with: the chain that the wallet is on, its account, and the name and icon of the app. With `wallet`, of a wallet of another app, it is a provider of that one, with the name and icon of its app.',
    errors: ['session_storage_unavailable', 'invalid_data', 'cross_app_connection_not_allowed'],
  },
  ethereumRequest: {
    summary:
      'A method of the provider that needs no user, as its table says. What reads is asked of the chain, at the addresses that the operator named.',
    errors: ['method_not_found', 'invalid_data', 'unsupported_chain_id', 'server_unreachable'],
  },
  ethereumRead: {
    summary: 'A method of the provider that only reads the chain.',
    errors: ['method_not_found', 'invalid_data', 'server_unreachable'],
  },
  ethereumRequestForUser: {
    summary:
      'Likewise one that waits for the user: accounts, with a login where there is none, signatures and transactions. What is shown and refused is that of the calls that sign and send.',
    errors: [
      'method_not_found',
      'invalid_data',
      'must_be_authenticated',
      'embedded_wallet_not_found',
      'exited_auth_flow',
      'user_rejected_request',
      'invalid_message',
      'unsupported_chain_id',
      'approval_required_elsewhere',
      'insufficient_funds',
      'transaction_failure',
      'unable_to_sign',
      'not_visible',
      'too_many_requests',
    ],
  },
}
