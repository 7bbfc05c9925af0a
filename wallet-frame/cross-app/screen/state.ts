/** The states of the cross-app page, with the actions of the user. */
import type { MfaMethodType } from '@latchkey/protocol'
import type { CrossAppScope } from '@latchkey/protocol/api'
import type { CloudRecovery } from '@latchkey/protocol/wallet'
import type { Reviewed } from '../../confirm/page-flow.ts'

/** The requester, with the name and the origin that the operator registered. */
export type Requester = { name: string; origin: string }

export type Problem =
  /** The URL contains no request. */
  | 'nothing'
  /** The request has expired, does not exist, or belongs to another account. */
  | 'unknown'
  | 'decided'
  | 'timeout'
  /** Another tab changed the request, or the server's request differs from the shown one. */
  | 'changed'
  | 'unreadable'
  /** The text is a sign-in for another site than the requesting app's. */
  | 'sign-in-elsewhere'
  /** The login did not begin in this tab. */
  | 'other-login'
  /** The browser refuses storage for this page. */
  | 'no-storage'
  | 'too-many'
  | 'max-attempts'
  | 'unrecovered'
  /** The user's second factor is a passkey of another hostname, which this page cannot use. */
  | 'factor-elsewhere'
  /** The server could not determine whether the transaction was sent. */
  | 'outcome-unknown'
  | 'not-sent'
  | 'failed'

export type FactorProblem = 'wrong' | 'max-attempts' | 'too-many' | 'not-given' | 'not-sent'
export type SecretProblem = 'wrong' | 'not-given' | 'unable' | 'too-many' | 'failed'
/** A window that reads as closed may still be open. */
export type CloudStep = 'asking' | 'blocked' | 'open' | 'closed'
type Cancelable = { cancel: () => void }

export type Consent = {
  requester: Requester
  scopes: readonly CrossAppScope[]
  /** The EIP-55 checksummed address. */
  address: string
  /** The name of the user's account; undefined if no account has one. */
  account: string | undefined
  /** `dailyUsd` has an effect only if the app may send. */
  allow: (choice: { isReadOnly: boolean; dailyUsd: number }) => void
  deny: () => void
  changeAccount: () => void
}

export type PageState =
  | { status: 'opening' | 'to-login' | 'making' | 'bringing' | 'working' | 'prompt' }
  | {
      status: 'problem'
      problem: Problem
      retry?: () => void
      changeAccount?: () => void
    }
  | { status: 'unreachable'; retry: () => void }
  | ({
      status: 'password'
      problem: SecretProblem | undefined
      give: (password: string) => void
    } & Cancelable)
  | ({
      status: 'passkey'
      problem: SecretProblem | undefined
      /** Must run inside the press, because the browser then asks for the passkey. */
      ask: () => void
    } & Cancelable)
  | ({
      status: 'cloud'
      cloud: CloudRecovery
      step: CloudStep
      problem: SecretProblem | undefined
      /** Must run inside the press, because it opens the cloud's sign-in window. */
      open: () => void
    } & Cancelable)
  | ({
      status: 'factor-choice'
      methods: readonly MfaMethodType[]
      choose: (method: MfaMethodType) => void
    } & Cancelable)
  | ({
      status: 'factor'
      method: MfaMethodType
      /** Shows the choice; undefined if there is only one method. */
      chooseOther: (() => void) | undefined
      /** The address that a code was sent to; undefined before one was sent. */
      sentTo: string | undefined
      problem: FactorProblem | undefined
      sendCode: () => void
      giveCode: (code: string) => void
      askPasskey: () => void
    } & Cancelable)
  | ({ status: 'consent' } & Consent)
  /** The browser goes on to the requesting app. */
  | { status: 'going-on'; requester: Requester; again: () => void }
  | ({
      status: 'review'
      requester: Requester
      approve: () => void
      reject: () => void
    } & Reviewed)
  | { status: 'deciding' }
  | { status: 'signed' | 'sent' | 'rejected' }

export type Show = (state: PageState) => void
