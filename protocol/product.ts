/** The one place where the product's name is written. Every name that carries it derives from here. */
const NAME = 'Latchkey'
const KEY = 'latchkey'

export const product = {
  name: NAME,
  key: KEY,
  /** Prefix of every window-message event. */
  eventPrefix: `${KEY}:`,
  headers: {
    appId: `${KEY}-app-id`,
    clientId: `${KEY}-client-id`,
    client: `${KEY}-client`,
    analyticsId: `${KEY}-ca-id`,
    requestId: `${KEY}-request-id`,
    loginBinding: `${KEY}-login-binding`,
  },
  query: {
    token: `${KEY}_token`,
    oauthCode: `${KEY}_oauth_code`,
    oauthState: `${KEY}_oauth_state`,
    oauthProvider: `${KEY}_oauth_provider`,
    connector: `${KEY}_connector`,
    walletClient: `${KEY}_wallet_client`,
  },
  crossApp: {
    response: `${NAME.toUpperCase()}_CROSS_APP_ACTION_RESPONSE`,
    error: `${NAME.toUpperCase()}_CROSS_APP_ACTION_ERROR`,
    provider: (appId: string) => `${KEY}:${appId}` as const,
  },
  oauthPopup: {
    response: `${NAME.toUpperCase()}_OAUTH_RESPONSE`,
    error: `${NAME.toUpperCase()}_OAUTH_ERROR`,
    useBroadcastChannel: `${NAME.toUpperCase()}_OAUTH_USE_BROADCAST_CHANNEL`,
    broadcastChannel: `popup-${KEY}-oauth`,
  },
  /** The recovery method that needs nothing from the user. */
  automaticRecovery: KEY,
  walletClient: KEY,
  /** `window.latchkey`, made by the one-line form. */
  global: KEY,
  /** Where the server writes what a page needs before its first call. */
  inlineConfigElementId: `${KEY}-config`,
  trustedTypesPolicy: KEY,
  /** Names in a browser's storage carry the app, and where it matters the user: two apps share nothing. */
  storageName: (...parts: readonly string[]) => [KEY, ...parts].join(':'),
  refreshCookie: (appId: string) => `__Host-${KEY}-refresh-${appId}`,
  /** Readable by script, so that a page knows that a refresh cookie exists. */
  sessionMarkerCookie: (appId: string) => `__Host-${KEY}-session-${appId}`,
} as const
