/** The ports of wallet calls. */
import type { MfaMethodType } from '@latchkey/protocol'
import type { OperationStep } from '@latchkey/protocol/wallet'
import type { VaultClient } from '../vault-client/client.ts'
import type { Api, ApiCaller } from './transport.ts'

export type CloudFetch = (url: string, init: RequestInit) => Promise<Response>

/** The page around the dialog, as reported by the browser. */
export type HostPage = Readonly<{
  /**
   * Its origin, or every origin that `frame-ancestors` allows if the browser names none. Empty without such a
   * page.
   */
  origins: readonly string[]
  isNamed: boolean
}>

export type WalletPorts = {
  appId: string
  api: Api
  vault: VaultClient
  /** The page around the dialog. Without one, sign-in messages are refused. */
  host?: HostPage
  /** The URLs of the clouds that the app has enabled, by recovery method. */
  clouds: { addresses: Readonly<Record<string, string>>; fetch: CloudFetch }
}

/** A call for one step of an operation. */
export type StepCall = ApiCaller & {
  operation: OperationStep
  /** Runs a request with the verification of this operation's second factor, if there is one. */
  withFactor: WithFactor
}
export type WithFactor = <Answer>(ask: (factor: Factor) => Promise<Answer>) => Promise<Answer>
/** The part of a request body that carries a second factor. */
export type Factor = { mfaToken?: string }

/** The answer to a second factor, as the call carries it. The method parses it. */
export type FactorAnswer = {
  mfaMethod?: MfaMethodType
  mfaCode?: string | Record<string, unknown>
  relyingParty?: string
}
export type FactorCall = Omit<StepCall, 'withFactor'>
