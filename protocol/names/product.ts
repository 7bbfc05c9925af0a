/**
 * The one place where the product's name is written. Every name that carries it derives from here. What the loader
 * needs are constants of their own: a bundler takes those apart, and an object only as a whole.
 */
export const productName = 'Latchkey'
export const productKey = 'latchkey'
/** Prefix of every window-message event. */
export const eventPrefix = `${productKey}:`
/** `window.latchkey`, made by the one-line form. */
export const globalName = productKey
export const trustedTypesPolicy = productKey
/** Libraries know providers of the product apart from others by this name (EIP-6963). */
export const providerRdns = `app.${productKey}`
/** A mark on them: a dialog lends no wallet of a page that is its own. */
export const providerMark = `${productKey}.provider`
export const oneUseCodeParameter = `${productKey}_token`

const CAPITALS = /* @__PURE__ */ productName.toUpperCase()

export const product = {
  name: productName,
  key: productKey,
  eventPrefix,
  headers: {
    appId: `${productKey}-app-id`,
    clientId: `${productKey}-client-id`,
    client: `${productKey}-client`,
    analyticsId: `${productKey}-ca-id`,
    requestId: `${productKey}-request-id`,
    loginBinding: `${productKey}-login-binding`,
    device: `${productKey}-device`,
  },
  query: {
    token: oneUseCodeParameter,
    oauthCode: `${productKey}_oauth_code`,
    oauthState: `${productKey}_oauth_state`,
    oauthProvider: `${productKey}_oauth_provider`,
    connector: `${productKey}_connector`,
    walletClient: `${productKey}_wallet_client`,
  },
  crossApp: {
    response: `${CAPITALS}_CROSS_APP_ACTION_RESPONSE`,
    error: `${CAPITALS}_CROSS_APP_ACTION_ERROR`,
    provider: (appId: string) => `${productKey}:${appId}` as const,
  },
  oauthPopup: {
    response: `${CAPITALS}_OAUTH_RESPONSE`,
    error: `${CAPITALS}_OAUTH_ERROR`,
  },
  /** A page that goes on to somebody else asks the dialog that opened it whether it did. */
  windowStart: {
    question: `${CAPITALS}_WINDOW_START_QUESTION`,
    answer: `${CAPITALS}_WINDOW_START_ANSWER`,
  },
  /** The recovery method that needs nothing from the user. */
  automaticRecovery: productKey,
  walletClient: productKey,
  global: globalName,
  /** Where the server writes what a page needs before its first call. */
  inlineConfigElementId: `${productKey}-config`,
  trustedTypesPolicy,
  /** Names in a browser's storage carry the app, and where it matters the user: two apps share nothing. */
  storageName: (...parts: readonly string[]) => [productKey, ...parts].join(':'),
  refreshCookie: (appId: string) => `__Host-${productKey}-refresh-${appId}`,
  /** Readable by script, so that a page knows that a refresh cookie exists. */
  sessionMarkerCookie: (appId: string) => `__Host-${productKey}-session-${appId}`,
} as const
