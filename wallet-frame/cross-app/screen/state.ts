/** What the page shows, one after the other, and what its user may do there. */
import type { CrossAppScope, MfaMethodType } from '@latchkey/protocol'
import type { CloudRecovery } from '@latchkey/protocol/wallet'
import type { Reviewed } from '../../confirm/page-flow.ts'

/** The requester, with the name and the origin that the operator registered. */
export type Requester = { name: string; origin: string }

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
type Cancelable = { cancel: () => void }

export type Consent = {
  requester: Requester
  scopes: readonly CrossAppScope[]
  /** The address with the checksum of EIP-55. */
  address: string
  /** How the user is told apart; undefined where nothing of theirs can be said. */
  account: string | undefined
  /** `dailyUsd` counts where something may be sent. */
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
      /** Must run inside the press, because the device asks for the passkey. */
      ask: () => void
    } & Cancelable)
  | ({
      status: 'cloud'
      cloud: CloudRecovery
      step: CloudStep
      problem: SecretProblem | undefined
      /** Must run inside the press, because it opens the cloud's own sign-in. */
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
  /** The browser goes on to the app that asked. */
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
