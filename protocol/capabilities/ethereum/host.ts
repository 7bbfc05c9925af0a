/** Calls of the EIP-1193 provider of the embedded wallet. */
import * as v from 'valibot'
import { evmAddress } from '../../entities/wallets/chain-primitives.ts'
import { channelLimits } from '../../limits/limits.ts'
import type { HostCallDoc, HostCallRows } from '../../rows/host-call.ts'

const text = v.string()
const address = v.string() as v.GenericSchema<string, `0x${string}`>
/**
 * The confirmation page, and the rules by which the loader predicts that a request needs it. The loader then opens it
 * in the user's click. Opening it approves nothing.
 */
const confirmPage = v.object({
  address: text,
  /** Typed data that the operator allows to be approved on the card. */
  typedDataOnCard: v.array(v.object({ contract: text, primaryType: text })),
  /** Test networks, where the card approves every transaction. */
  testNetworks: v.array(v.number()),
})
export type ConfirmPage = v.InferOutput<typeof confirmPage>
/** The name and icon to announce. The icon is omitted unless it is a data URL. */
const announced = v.object({ name: text, icon: v.exactOptional(text) })
/** The address of a linked wallet of another app. The embedded wallet is used if it is omitted. */
const wallet = v.exactOptional(evmAddress)
/** The method's row in `methods.ts` validates its params. */
const request = v.object({
  method: v.pipe(text, v.maxLength(channelLimits.maxIdLength)),
  params: v.array(v.unknown()),
  wallet,
})

export const ethereumCalls = {
  /** `announce`: whether the page announces the provider. */
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

/** Errors of the chain or the provider are answers, with codes of EIP-1193 and JSON-RPC. */
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
    /** The requested wallet of another app, and whether to announce it. */
    linked: v.exactOptional(v.object({ address, appId: text, isAnnounced: v.boolean() })),
  }),
  ethereumRequest: answer,
  ethereumRead: answer,
  ethereumRequestForUser: answer,
} as const

export const ethereumEvents = {
  /** The wallet switched to another chain of the app. */
  chainChanged: v.object({ chainId: v.number() }),
  /** The provider must be announced to the page's libraries (EIP-6963). */
  provider: v.object({ ...announced.entries, confirmPage: v.exactOptional(confirmPage) }),
} as const

export const ethereumDoc: HostCallDoc<typeof ethereumCalls> = {
  ethereumState: {
    summary:
      'Returns the initial state of a provider: the current chain, the account, and the name and icon of the app. With the `wallet` of another app, returns the state of that wallet, with the name and icon of its app.',
    errors: ['session_storage_unavailable', 'invalid_data', 'cross_app_connection_not_allowed'],
  },
  ethereumRequest: {
    summary:
      'Runs a provider method that needs no user, as listed below. Read methods are forwarded to the RPC nodes that the operator configured.',
    errors: ['method_not_found', 'invalid_data', 'unsupported_chain_id', 'server_unreachable'],
  },
  ethereumRead: {
    summary: 'Runs a provider method that only reads the chain.',
    errors: ['method_not_found', 'invalid_data', 'server_unreachable'],
  },
  ethereumRequestForUser: {
    summary:
      'Runs a provider method that needs the user: accounts (with a login if necessary), signatures and transactions. It shows and rejects the same as the calls that sign and send.',
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
