/** What the page shows, one after the other, and what its user may do there. */
import type { CrossAppScope, MfaMethodType } from '@latchkey/protocol'
import type { CloudRecovery } from '@latchkey/protocol/wallet'
import type { Reviewed } from '../../confirm/page-flow.ts'

/** The requester, with the name and the origin that the operator registered. */
export type Requester = { readonly name: string; readonly origin: string }

export type Problem =
  /** The address names nothing. */
  | 'nothing'
  /** The request has expired, does not exist, or belongs to another account. */
  | 'unknown'
  | 'decided'
  | 'timeout'
  /** Another tab changed the request, or the server has another one than was shown. */
  | 'changed'
  | 'unreadable'
  /** A text that logs its signer in, at another site than that of the app that asks. */
  | 'sign-in-elsewhere'
  /** A login that did not begin in this tab. */
  | 'other-login'
  /** The browser keeps nothing for this page. */
  | 'no-storage'
  | 'too-many'
  | 'max-attempts'
  | 'unrecovered'
  /** A passkey of another hostname verifies this user: this page can not ask it. */
  | 'factor-elsewhere'
  /** Nobody knows whether a transaction was sent. */
  | 'outcome-unknown'
  | 'not-sent'
  | 'failed'

export type FactorProblem = 'wrong' | 'max-attempts' | 'too-many' | 'not-given' | 'not-sent'
export type SecretProblem = 'wrong' | 'not-given' | 'unable' | 'too-many' | 'failed'
/** A window that reads as closed may be open. */
export type CloudStep = 'asking' | 'blocked' | 'open' | 'closed'
type Cancelable = { readonly cancel: () => void }

export type Consent = {
  readonly requester: Requester
  readonly scopes: readonly CrossAppScope[]
  /** The address with the checksum of EIP-55. */
  readonly address: string
  /** How the user is told apart; undefined where nothing of theirs can be said. */
  readonly account: string | undefined
  /** `dailyUsd` counts where something may be sent. */
  readonly allow: (choice: { readonly isReadOnly: boolean; readonly dailyUsd: number }) => void
  readonly deny: () => void
  readonly changeAccount: () => void
}

export type PageState =
  | { readonly status: 'opening' | 'to-login' | 'making' | 'bringing' | 'working' | 'prompt' }
  | {
      readonly status: 'problem'
      readonly problem: Problem
      readonly retry?: () => void
      readonly changeAccount?: () => void
    }
  | { readonly status: 'unreachable'; readonly retry: () => void }
  | ({
      readonly status: 'password'
      readonly problem: SecretProblem | undefined
      readonly give: (password: string) => void
    } & Cancelable)
  | ({
      readonly status: 'passkey'
      readonly problem: SecretProblem | undefined
      /** Must run inside the press, because the device asks for the passkey. */
      readonly ask: () => void
    } & Cancelable)
  | ({
      readonly status: 'cloud'
      readonly cloud: CloudRecovery
      readonly step: CloudStep
      readonly problem: SecretProblem | undefined
      /** Must run inside the press, because it opens the cloud's own sign-in. */
      readonly open: () => void
    } & Cancelable)
  | ({
      readonly status: 'factor-choice'
      readonly methods: readonly MfaMethodType[]
      readonly choose: (method: MfaMethodType) => void
    } & Cancelable)
  | ({
      readonly status: 'factor'
      readonly method: MfaMethodType
      /** Shows the choice; undefined if there is only one method. */
      readonly chooseOther: (() => void) | undefined
      /** The address that a code was sent to; undefined before one was sent. */
      readonly sentTo: string | undefined
      readonly problem: FactorProblem | undefined
      readonly sendCode: () => void
      readonly giveCode: (code: string) => void
      readonly askPasskey: () => void
    } & Cancelable)
  | ({ readonly status: 'consent' } & Consent)
  /** The browser goes on to the app that asked. */
  | { readonly status: 'going-on'; readonly requester: Requester; readonly again: () => void }
  | ({
      readonly status: 'review'
      readonly requester: Requester
      readonly approve: () => void
      readonly reject: () => void
    } & Reviewed)
  | { readonly status: 'deciding' }
  | { readonly status: 'signed' | 'sent' | 'rejected' }

export type Show = (state: PageState) => void
