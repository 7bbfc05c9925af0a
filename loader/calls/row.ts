/**
 * What a call of a capability is at a handle. Each is declared in a file beside this one, by three things of its name:
 * its method, which hosts see; its row, which the first file has of it; and its message, which the second file has. The
 * messages are made by functions, which a bundler leaves out of the first file.
 */
import { parse, type Schema } from '@latchkey/protocol/channel'
import type { HostCallInput, HostCallName, HostCallResult } from '@latchkey/protocol/host'
import type { EthereumProvider, SolanaProvider, WalletConnection } from '../types/options.ts'

/** The code with which a call rejects whose card the user closes before the dialog has come. */
export type Refusal =
  | 'exited_auth_flow'
  | 'exited_link_flow'
  | 'user_rejected_request'
  | 'user_exited_set_password_flow'

/** A call that few pages make. */
export type LazyRow = {
  /** A call that shows nobody a card has none. */
  refusal?: Refusal
  /** A call that signs shows a card, with `noPromptOnSignature`, only where the dialog finds that it has to. */
  signs?: true
}
export type LazyRows<Methods> = { [Name in keyof Methods]: LazyRow }

export const withoutCard: LazyRow = {}
export const link: LazyRow = { refusal: 'exited_link_flow' }
export const request: LazyRow = { refusal: 'user_rejected_request' }
export const signature: LazyRow = { refusal: 'user_rejected_request', signs: true }

/** A call of a capability, as it goes to the dialog. */
export type CapabilityCall = { call: string; data: unknown }

/** The second file makes providers of the answers that describe one. */
export type Providers = {
  ethereum: (state: HostCallResult<'ethereumState'>) => EthereumProvider
  solana: (wallet: HostCallResult<'solanaWallet'>) => SolanaProvider
  connected: (wallet: HostCallResult<'connectWallet'>['wallet']) => WalletConnection
}

export type AnyMessage = {
  ask: (...args: never[]) => CapabilityCall
  read: (answer: unknown, providers: Providers) => unknown
}
export type Message<Method> = Method extends (...args: infer Args) => Promise<infer Result>
  ? {
      ask: (...args: Args) => CapabilityCall
      read: (answer: unknown, providers: Providers) => Result
    }
  : never
export type Messages<Methods> = { [Name in keyof Methods]: Message<Methods[Name]> }

/** `data` is made of the arguments, `result` of the answer. */
export const message = <Name extends HostCallName, Args extends readonly unknown[], Result>(
  call: Name,
  answer: Schema,
  data: (...args: Args) => HostCallInput<Name>,
  result: (read: HostCallResult<Name>, providers: Providers) => Result,
) => ({
  ask: (...args: Args): CapabilityCall => ({ call, data: data(...args) }),
  read: (given: unknown, providers: Providers) =>
    result(parse(answer, given, 'invalid_answer') as HostCallResult<Name>, providers),
})

export const toNothing = () => {}
