/** Calls for a user's accounts and session, and for external wallets. */
import {
  crossAppAnswers,
  forkAnswers,
  landingAnswers,
  linkingAnswers,
  siweAnswers,
} from '@latchkey/protocol/host'
import type { CallOptions, ConnectOptions, WalletConnection } from '../types/options.ts'
import type {
  ConnectedWallet,
  ForkedSession,
  OidcProvider,
  SocialProvider,
  User,
} from '../types/published.ts'
import { objectIn, textIn } from './arguments.ts'
import { type LazyRows, link, type Messages, message, withoutCard } from './row.ts'

export type AccountCalls = {
  /** Opens the dialog to replace the user's e-mail address. */
  updateEmail(options?: CallOptions): Promise<User>
  /**
   * Sends the user through a provider's login again. Emits the provider's tokens as the event `oauthTokens`.
   */
  reauthorize(account: { provider: SocialProvider | OidcProvider }, options?: CallOptions): Promise<User>
  /**
   * Opens the dialog to link the user's wallet of another app, by that app's id. Rejects with
   * `cross_app_connection_not_allowed` unless this app's operator has registered the other app.
   */
  linkCrossAppAccount(account: { appId: string }, options?: CallOptions): Promise<User>
  /** Opens the dialog to confirm the unlinking. `subject` is that of the user's account of type `cross_app`. */
  unlinkCrossAppAccount(account: { subject: string }, options?: CallOptions): Promise<User>
  /**
   * Opens the dialog to link the user's account at an OpenID provider that the operator configured, by its login
   * method.
   */
  linkOidcAccount(account: { provider: OidcProvider }, options?: CallOptions): Promise<User>
  /** Opens the dialog to confirm the unlinking. `subject` is that of the user's account of type `oidc`. */
  unlinkOidcAccount(
    account: { provider: OidcProvider; subject: string },
    options?: CallOptions,
  ): Promise<User>
  /**
   * Opens the dialog to connect an external wallet, such as a browser extension. This neither logs the user in
   * nor proves ownership; link the wallet for that. Its provider works until the wallet is disconnected.
   */
  connectWallet(options?: ConnectOptions & CallOptions): Promise<WalletConnection>
  /**
   * Opens the dialog and returns a connected wallet. A visitor connects an external wallet, which does not log
   * them in, or logs in and receives an embedded wallet. For a logged-in user it returns the embedded wallet
   * and creates a missing one. A user who logs in with a wallet connects that wallet.
   */
  connectOrCreateWallet(options?: CallOptions): Promise<ConnectedWallet>
  /**
   * Returns a one-time code with which another page of your app starts a session. That session ends with this
   * one.
   */
  forkSession(): Promise<ForkedSession>
}

/** @internal */
export const accountRows: LazyRows<AccountCalls> = {
  updateEmail: link,
  reauthorize: link,
  linkCrossAppAccount: link,
  unlinkCrossAppAccount: link,
  linkOidcAccount: link,
  unlinkOidcAccount: link,
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
    (account: { provider: SocialProvider | OidcProvider }) => ({
      provider: objectIn('account', account).provider,
    }),
    ({ user }) => user,
  ),
  linkCrossAppAccount: message(
    'linkCrossAppAccount',
    crossAppAnswers.linkCrossAppAccount,
    (account: { appId: string }) => ({ appId: textIn('appId', objectIn('account', account).appId) }),
    ({ user }) => user,
  ),
  unlinkCrossAppAccount: message(
    'unlinkCrossAppAccount',
    crossAppAnswers.unlinkCrossAppAccount,
    (account: { subject: string }) => ({ subject: textIn('subject', objectIn('account', account).subject) }),
    ({ user }) => user,
  ),
  linkOidcAccount: message(
    'link',
    linkingAnswers.link,
    (account: { provider: OidcProvider }) => ({ method: objectIn('account', account).provider }),
    ({ user }) => user,
  ),
  unlinkOidcAccount: message(
    'unlink',
    linkingAnswers.unlink,
    (account: { provider: OidcProvider; subject: string }) => {
      const { provider, subject } = objectIn('account', account)
      return { method: provider, id: textIn('subject', subject) }
    },
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
