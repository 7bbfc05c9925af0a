/** Calls for the accounts and the session of a user, and for wallets that they bring. */
import {
  crossAppAnswers,
  forkAnswers,
  landingAnswers,
  linkingAnswers,
  siweAnswers,
} from '@latchkey/protocol/host'
import type { CallOptions, ConnectOptions, WalletConnection } from '../types/options.ts'
import type { ConnectedWallet, ForkedSession, SocialProvider, User } from '../types/published.ts'
import { objectIn, textIn } from './arguments.ts'
import { type LazyRows, link, type Messages, message, withoutCard } from './row.ts'

export type AccountCalls = {
  /** Opens the dialog to put another e-mail address in the place of the one that the user has. */
  updateEmail(options?: CallOptions): Promise<User>
  /** Has the user go to a provider again, whose tokens then come as the event `oauthTokens`. */
  reauthorize(what: { provider: SocialProvider }, options?: CallOptions): Promise<User>
  /**
   * Opens the dialog to link the wallet that the user has in another app, by that app's id. The operator of this app has
   * registered it (`cross_app_connection_not_allowed`).
   */
  linkCrossAppAccount(what: { appId: string }, options?: CallOptions): Promise<User>
  /** Asks the user first. `subject` is that of their account of type `cross_app`. */
  unlinkCrossAppAccount(what: { subject: string }, options?: CallOptions): Promise<User>
  /**
   * Opens the dialog to connect a wallet that the user brings, such as an extension. Nobody is logged in by that, and
   * nothing is proved: whoever wants to know whose it is has it linked. Its provider can be asked until it is disconnected.
   */
  connectWallet(options?: ConnectOptions & CallOptions): Promise<WalletConnection>
  /**
   * Opens the dialog for a wallet that the page can ask for things: a visitor connects one that they bring, which logs
   * nobody in, or logs in and gets one of their own. A user is answered with theirs, made where there is none; one who
   * logs in by a wallet connects that.
   */
  connectOrCreateWallet(options?: CallOptions): Promise<ConnectedWallet>
  /** A one-use code from which another page of your app starts a session that ends with this one. */
  forkSession(): Promise<ForkedSession>
}

/** @internal */
export const accountRows: LazyRows<AccountCalls> = {
  updateEmail: link,
  reauthorize: link,
  linkCrossAppAccount: link,
  unlinkCrossAppAccount: link,
  connectWallet: link,
  connectOrCreateWallet: { refusal: 'exited_auth_flow' },
  forkSession: withoutCard,
}

/** @internal */
export const accountMessages = (): Messages<AccountCalls> => ({
  updateEmail: message(
    'updateEmail',
    linkingAnswers.updateEmail,
    () => ({}),
    ({ user }) => user,
  ),
  reauthorize: message(
    'reauthorize',
    linkingAnswers.reauthorize,
    (what: { provider: SocialProvider }) => ({ provider: objectIn('what', what).provider }),
    ({ user }) => user,
  ),
  linkCrossAppAccount: message(
    'linkCrossAppAccount',
    crossAppAnswers.linkCrossAppAccount,
    (what: { appId: string }) => ({ appId: textIn('appId', objectIn('what', what).appId) }),
    ({ user }) => user,
  ),
  unlinkCrossAppAccount: message(
    'unlinkCrossAppAccount',
    crossAppAnswers.unlinkCrossAppAccount,
    (what: { subject: string }) => ({ subject: textIn('subject', objectIn('what', what).subject) }),
    ({ user }) => user,
  ),
  connectWallet: message(
    'connectWallet',
    siweAnswers.connectWallet,
    (options?: ConnectOptions & CallOptions) => {
      const { suggestedAddress } = { ...options }
      return suggestedAddress === undefined ? {} : { suggestedAddress }
    },
    ({ wallet }, providers) => providers.connected(wallet),
  ),
  connectOrCreateWallet: message(
    'connectOrCreateWallet',
    landingAnswers.connectOrCreateWallet,
    () => ({}),
    ({ wallet }) => wallet,
  ),
  forkSession: message(
    'forkSession',
    forkAnswers.forkSession,
    () => ({}),
    (code) => code,
  ),
})
