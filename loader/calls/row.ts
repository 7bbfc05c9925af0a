/**
 * The parts of a capability's call. Each file beside this one declares them under the call's name: the method
 * type for hosts, the row in the first file, and the message in the second file.
 *
 * Messages are created by functions, so that a bundler drops them from the first file.
 */
import { parse, type Schema } from '@latchkey/protocol/channel'
import type { HostCallInput, HostCallName, HostCallResult } from '@latchkey/protocol/host'
import type { EthereumProvider, SolanaProvider, WalletConnection } from '../types/options.ts'

/** The code that a call rejects with if the user closes its card before the dialog has loaded. */
export type Refusal =
  | 'exited_auth_flow'
  | 'exited_link_flow'
  | 'user_rejected_request'
  | 'user_exited_set_password_flow'

/** A call from the second file. */
export type LazyRow = {
  /** Undefined for a call without a card. */
  refusal?: Refusal
  /** With `noPromptOnSignature`, a signing call shows a card only if the dialog requires it. */
  signs?: true
}
export type LazyRows<Methods> = { [Name in keyof Methods]: LazyRow }

export const withoutCard: LazyRow = {}
export const link: LazyRow = { refusal: 'exited_link_flow' }
export const request: LazyRow = { refusal: 'user_rejected_request' }
export const signature: LazyRow = { refusal: 'user_rejected_request', signs: true }

/** A capability call, as sent to the dialog. */
export type CapabilityCall = { call: string; data: unknown }

/** Creates providers from responses that describe a wallet. Implemented by the second file. */
export type Providers = {
  ethereum: (state: HostCallResult<'ethereumState'>) => EthereumProvider
  solana: (wallet: HostCallResult<'solanaWallet'>) => SolanaProvider
  connected: (wallet: HostCallResult<'connectWallet'>['wallet']) => WalletConnection
}

export type AnyMessage = {
  toCall: (...args: never[]) => CapabilityCall
  toResult: (response: unknown, providers: Providers) => unknown
}
export type Message<Method> = Method extends (...args: infer Args) => Promise<infer Result>
  ? {
      toCall: (...args: Args) => CapabilityCall
      toResult: (response: unknown, providers: Providers) => Result
    }
  : never
export type Messages<Methods> = { [Name in keyof Methods]: Message<Methods[Name]> }

/**
 * Creates a message. `data` maps the arguments to the request, `result` maps the response to the return value.
 */
export const message = <Name extends HostCallName, Args extends readonly unknown[], Result>(
  call: Name,
  schema: Schema,
  data: (...args: Args) => HostCallInput<Name>,
  result: (response: HostCallResult<Name>, providers: Providers) => Result,
) => ({
  toCall: (...args: Args): CapabilityCall => ({ call, data: data(...args) }),
  toResult: (response: unknown, providers: Providers) =>
    result(parse(schema, response, 'invalid_answer') as HostCallResult<Name>, providers),
})

export const toNothing = () => {}
