/**
 * The product's name. All names that contain it derive from here. The loader's names are separate constants, because
 * bundlers drop unused constants but not object properties.
 */
export const productName = 'Latchkey'
export const productKey = 'latchkey'
/** Prefix of all window message events. */
export const eventPrefix = `${productKey}:`
/** The global of the script tag form: `window.latchkey`. */
export const globalName = productKey
export const trustedTypesPolicy = productKey
/** Identifies the product's providers to libraries (EIP-6963). */
export const providerRdns = `app.${productKey}`
/** Marks the product's own providers, so that a dialog does not offer them as external wallets. */
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
  /** A start page asks its opener whether the dialog opened it, before it redirects to a third party. */
  windowStart: {
    question: `${CAPITALS}_WINDOW_START_QUESTION`,
    answer: `${CAPITALS}_WINDOW_START_ANSWER`,
  },
  /** The recovery method that needs nothing from the user. */
  automaticRecovery: productKey,
  walletClient: productKey,
  global: globalName,
  /** The element with the page's inline configuration. */
  inlineConfigElementId: `${productKey}-config`,
  trustedTypesPolicy,
  /** Storage keys contain the app and, where necessary, the user, so that apps share no state. */
  storageName: (...parts: readonly string[]) => [productKey, ...parts].join(':'),
  refreshCookie: (appId: string) => `__Host-${productKey}-refresh-${appId}`,
  /** Readable by scripts, to detect that a refresh cookie exists. */
  sessionMarkerCookie: (appId: string) => `__Host-${productKey}-session-${appId}`,
} as const
