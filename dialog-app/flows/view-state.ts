/**
 * What each screen shows, and what the user can do: the words between flows and face.
 *
 * A state holds what a flow knows. What only the screen knows (the text in a field, an open detail) stays there
 * and comes as part of an event.
 */
import type { LoginMethod, ScreenName, User } from '@latchkey/protocol'
import type { Visibility } from '../host/visibility.ts'

export type LandingState = {
  /** `sending` while the first call of a login runs. */
  readonly status: 'ready' | 'sending'
  readonly methods: readonly LoginMethod[]
  /** The address to begin with, as after going back. */
  readonly email: string
}

/** The OTP machine of the specification. */
export type OtpStatus =
  | 'initial'
  | 'sending-code'
  | 'awaiting-code-input'
  | 'submitting-code'
  | 'done'
  | 'error'

export type CodeState = {
  readonly status: OtpStatus
  readonly address: string
  /** What was wrong with the last try; stays until the next. */
  readonly problem: string | undefined
  /** A new number empties the six fields. */
  readonly attempt: number
  /** `locked`: 'Code sent' shows instead of 'Resend code'. */
  readonly resend: 'available' | 'sending' | 'locked'
}

export type ErrorState = { readonly title: string; readonly detail: string; readonly button: string }

export type AllowlistState = ErrorState & { readonly link: string | undefined }

export type WalletCreateState =
  | { readonly status: 'creating' }
  | { readonly status: 'failed'; readonly problem: string }

export type WalletCreatedState = { readonly title: 'Welcome' | 'All set!' }

export type WalletConnectingState = { readonly status: 'connecting' | 'recovering' }

/**
 * `disarmed`: too early, the button waits. `armed`: the card was seen whole and still for half a second.
 * `hidden`: something covers the card; nothing can be approved.
 */
export type Gate = 'disarmed' | 'armed' | 'hidden'

type SignTexts = {
  readonly title: string
  readonly description: string
  readonly buttonText: string
  readonly iconUrl: string | undefined
}
export type SignState = SignTexts & {
  readonly message: string
  readonly address: string
  readonly appName: string
  /** Who asks, as the browser vouches for it; null when the dialog stands alone. */
  readonly origin: string | null
} & (
    | { readonly status: 'review'; readonly gate: Gate }
    | { readonly status: 'signing' }
    | { readonly status: 'success' }
    | { readonly status: 'failed'; readonly problem: string }
  )

export type SignedInState = { readonly status: 'ready' | 'logging-out'; readonly user: User }

/** A screen that shows the same to everybody. */
export type NoState = Readonly<Record<never, never>>

/** The states of the screens that there are; a screen without one can not be shown. */
export type ScreenStates = {
  LANDING: LandingState
  AWAITING_PASSWORDLESS_CODE: CodeState
  ERROR_SCREEN: ErrorState
  ALLOWLIST_REJECTION_SCREEN: AllowlistState
  ACCOUNT_NOT_FOUND_SCREEN: NoState
  USER_LIMIT_REACHED_SCREEN: NoState
  EMBEDDED_WALLET_ON_ACCOUNT_CREATE_SCREEN: WalletCreateState
  EMBEDDED_WALLET_CREATED_SCREEN: WalletCreatedState
  EMBEDDED_WALLET_CONNECTING_SCREEN: WalletConnectingState
  EMBEDDED_WALLET_SIGN_REQUEST_SCREEN: SignState
  /** Standalone only, where the dialog is the page: who is logged in, and the way out. */
  SIGNED_IN: SignedInState
}

export type ShownScreen = keyof ScreenStates & (ScreenName | 'SIGNED_IN')
export type ScreenView = {
  readonly [Name in ShownScreen]: { readonly name: Name; readonly state: ScreenStates[Name] }
}[ShownScreen]

export type ViewEvent =
  | { readonly type: 'back' }
  | { readonly type: 'close' }
  | { readonly type: 'info' }
  | { readonly type: 'submit-email'; readonly email: string }
  | { readonly type: 'submit-code'; readonly code: string }
  | { readonly type: 'resend-code' }
  /** The button of an error, allowlist, limit or not-found screen, and of a failed step. */
  | { readonly type: 'retry' }
  /** What `watchVisibility` reads of the card of an approval. */
  | { readonly type: 'visibility'; readonly reading: Visibility }
  /** `trusted` is `event.isTrusted` of the click or key press. */
  | { readonly type: 'approve'; readonly trusted: boolean }
  | { readonly type: 'log-out' }
