/** The ports that a wallet call works with. */
import type { MfaMethodType } from '@latchkey/protocol'
import type { OperationStep } from '@latchkey/protocol/wallet'
import type { VaultClient } from '../vault-client/client.ts'
import type { Api, ApiCaller } from './transport.ts'

export type CloudFetch = (url: string, init: RequestInit) => Promise<Response>

/** The page around the dialog, as far as the browser vouches for it. */
export type HostPage = Readonly<{
  /** Its origin, or every origin that `frame-ancestors` allows if the browser names none. Empty without such a page. */
  origins: readonly string[]
  isNamed: boolean
}>

export type WalletPorts = {
  appId: string
  api: Api
  vault: VaultClient
  /** The page around the dialog. Without one, no message that logs its signer in is signed. */
  host?: HostPage
  /** The addresses of clouds where users keep a file, by recovery method, for the methods that the app has on. */
  clouds: { addresses: Readonly<Record<string, string>>; fetch: CloudFetch }
}

/** One step of an operation, for a caller that may stop waiting. */
export type StepCall = ApiCaller & {
  operation: OperationStep
  /** Asks with what a second factor of this operation is worth, where there is one. */
  withFactor: WithFactor
}
export type WithFactor = <Answer>(ask: (factor: Factor) => Promise<Answer>) => Promise<Answer>
/** The part of a request body that carries a second factor. */
export type Factor = { mfaToken?: string }

/** The answer to a second factor as the call brings it; the method interprets it. */
export type FactorAnswer = {
  mfaMethod?: MfaMethodType
  mfaCode?: string | Record<string, unknown>
  relyingParty?: string
}
export type FactorCall = Omit<StepCall, 'withFactor'>
