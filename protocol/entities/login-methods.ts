/**
 * The table of login methods. Dialog, server and wallet pages derive everything they need about other methods from its
 * rows.
 */
import * as v from 'valibot'
import { keepsName } from '../names/naming.ts'
import { type CrossAppProvider, crossAppProvider, isCrossAppProvider } from './cross-app.ts'
import { isOidcProvider, type OidcProvider, oidcProvider } from './oidc.ts'
import { fid, text } from './primitives.ts'
import {
  type SocialProvider,
  socialCallNames,
  socialProviderRows,
  socialProviders,
} from './social-providers.ts'
import { account, walletAccountSchema } from './wallets/wallet-account.ts'

/**
 * The login methods that an app can enable, in the dialog's order, with the name of their accounts in calls such as
 * `linkPhone()`. The loader ships only these names. Everything else in this file is declared free of side effects, so
 * that bundlers can drop it.
 */
export const callNames = {
  email: 'Email',
  sms: 'Phone',
  ...socialCallNames,
  wallet: 'Wallet',
  farcaster: 'Farcaster',
  passkey: 'Passkey',
  telegram: 'Telegram',
} as const

/** A login method that an app can enable. */
export type SwitchedLoginMethod = keyof typeof callNames
export const loginMethods = /* @__PURE__ */ Object.keys(callNames) as readonly SwitchedLoginMethod[]
/** A method that the operator configured for one app: a wallet of another app, or an OpenID provider. */
export type NamedLoginMethod = CrossAppProvider | OidcProvider
/** Includes named methods: `latchkey:{appId}` and `oidc:{id}`. */
export type LoginMethod = SwitchedLoginMethod | NamedLoginMethod

/** Account types with their own link and unlink calls. */
export type Linkable = (typeof callNames)[SwitchedLoginMethod]

/** How an operator identifies an account in an allowlist. `none` if the account has no identifier. */
export type IdentifierType =
  | 'e-mail address'
  | 'phone number'
  | 'wallet address'
  | 'subject'
  | 'number'
  | 'of an app'
  | 'of an issuer'
  | 'none'

type Row = {
  /** The app setting that enables the method. Undefined for named methods, which the operator registers. */
  setting: string | undefined
  /** The schema of the account that the method proves. */
  account: ReturnType<typeof account>
  /** The field that identifies an account among those of its type. */
  idField: string
  identifier: IdentifierType
  /** Maximum accounts of this type per user. Defaults to one. */
  maxPerUser?: number
  /** Fields to display the account by. The first one with a value is used. */
  shownBy: readonly string[]
  /**
   * Fields for the user's display name: the first group with a value, joined by spaces. Defaults to the usual names.
   */
  greetedBy?: readonly (readonly string[])[]
  /** The method's name if it is the same in every language. Undefined if the texts translate it. */
  title?: string
  /** The method's folder in the dialog. The page may preload its entry for a pending call. */
  capability: string
  /**
   * When LANDING shows the method immediately: if wallets come first, or beside few others. Otherwise it is behind a
   * button. Defaults to whenever the app enables it.
   */
  preload?: 'wallets first' | 'beside few'
  /** The user returns from another window or page, so the success screen stays longer. */
  leavesCard?: true
  /** The user confirms on their phone, so the success screen may have to stay longer. */
  byPhone?: true
}

const maybe = v.exactOptional(v.nullable(text))

const fieldSchemas = {
  email: maybe,
  username: maybe,
  name: maybe,
  profilePictureUrl: maybe,
  vanityName: maybe,
  emailVerified: v.exactOptional(v.literal(false)),
} as const
type FieldSchemas = typeof fieldSchemas
type ProviderRows = typeof socialProviderRows
type FieldsOf<P extends SocialProvider> = {
  readonly [Field in ProviderRows[P]['fields'][number]]: FieldSchemas[Field]
}

/** Fields that identify a provider account to its user, in order of preference. */
const shownFields = ['username', 'email', 'name'] as const

function createProviderRow<const P extends SocialProvider>(provider: P) {
  const { title, fields } = socialProviderRows[provider]
  const has = (field: string) => fields.some((each) => each === field)
  const entries = Object.fromEntries(fields.map((field) => [field, fieldSchemas[field]])) as FieldsOf<P>
  return {
    setting: `${provider}Oauth`,
    capability: 'oauth',
    account: account(`${provider}_oauth`, { subject: text, ...entries }),
    idField: 'subject',
    identifier: 'subject',
    shownBy: has('username') ? ['username'] : shownFields.filter(has),
    title,
    leavesCard: true,
  } as const satisfies Row
}
type ProviderDescriptors = { [P in SocialProvider]: ReturnType<typeof createProviderRow<P>> }

const providerDescriptors = /* @__PURE__ */ Object.fromEntries(
  /* @__PURE__ */ socialProviders.map((provider) => [provider, createProviderRow(provider)]),
) as unknown as ProviderDescriptors

export const loginMethodRows = {
  email: {
    setting: 'emailAuth',
    capability: 'email',
    account: account('email', { address: text }),
    idField: 'address',
    identifier: 'e-mail address',
    shownBy: ['address'],
  },
  sms: {
    setting: 'smsAuth',
    capability: 'sms',
    account: account('phone', { phoneNumber: v.pipe(text, keepsName()) }),
    idField: 'phoneNumber',
    identifier: 'phone number',
    shownBy: ['phoneNumber'],
  },
  ...providerDescriptors,
  wallet: {
    setting: 'walletAuth',
    capability: 'siwe',
    preload: 'wallets first',
    account: walletAccountSchema,
    idField: 'address',
    identifier: 'wallet address',
    // Bounds the work of reading a user.
    maxPerUser: 100,
    shownBy: ['address'],
  },
  farcaster: {
    setting: 'farcasterAuth',
    capability: 'farcaster',
    preload: 'beside few',
    account: account('farcaster', {
      fid,
      ownerAddress: text,
      username: maybe,
      displayName: maybe,
      bio: maybe,
      profilePicture: maybe,
      profilePictureUrl: maybe,
      homepageUrl: maybe,
      signerPublicKey: maybe,
    }),
    idField: 'fid',
    identifier: 'number',
    shownBy: ['username'],
    title: 'Farcaster',
    byPhone: true,
  },
  passkey: {
    setting: 'passkeyAuth',
    capability: 'passkey',
    account: account('passkey', {
      credentialId: text,
      authenticatorName: maybe,
      createdWithBrowser: maybe,
      createdWithOs: maybe,
      createdWithDevice: maybe,
      enrolledInMfa: v.boolean(),
    }),
    idField: 'credentialId',
    identifier: 'none',
    maxPerUser: 5,
    shownBy: [],
  },
  telegram: {
    setting: 'telegramAuth',
    capability: 'telegram',
    preload: 'beside few',
    account: account('telegram', {
      telegramUserId: text,
      firstName: maybe,
      lastName: maybe,
      username: maybe,
      photoUrl: maybe,
    }),
    idField: 'telegramUserId',
    identifier: 'number',
    shownBy: ['username'],
    greetedBy: [['firstName', 'lastName'], ['username']],
    title: 'Telegram',
    leavesCard: true,
  },
} as const satisfies { [method in SwitchedLoginMethod]: Row }

const addressed = v.object({ address: text })
/** A wallet of another app. Its name as a login method is only known at run time. */
const crossApp = {
  setting: undefined,
  capability: 'cross-app',
  account: account('cross_app', {
    subject: text,
    providerAppId: text,
    /** Addresses that the provider claims for this user, unproven. Request a signature before you trust one. */
    embeddedWallets: v.array(addressed),
    /** Claimed by the provider, like `embeddedWallets`. */
    smartWallets: v.array(addressed),
  }),
  idField: 'subject',
  identifier: 'of an app',
  shownBy: [],
  leavesCard: true,
} as const satisfies Row

/** An account at an OpenID provider. An issuer and its subject identify the user; an e-mail address does not. */
const oidc = {
  setting: undefined,
  capability: 'oidc',
  account: account('oidc', { issuer: text, subject: text, email: maybe, name: maybe }),
  idField: 'subject',
  identifier: 'of an issuer',
  shownBy: ['email', 'name'],
  leavesCard: true,
} as const satisfies Row

export const loginMethodSchema = v.union([v.picklist(loginMethods), crossAppProvider, oidcProvider])

type LoginMethodRows = typeof loginMethodRows
export type LoginMethodRow = Row & { account: (typeof accountSchemas)[number] }

export const isNamedLoginMethod = (method: string): method is NamedLoginMethod =>
  isCrossAppProvider(method) || isOidcProvider(method)

export function getLoginMethod(method: LoginMethod): LoginMethodRow {
  if (isCrossAppProvider(method)) return crossApp
  return isOidcProvider(method) ? oidc : loginMethodRows[method]
}

export const allLoginMethodRows: readonly LoginMethodRow[] = /* @__PURE__ */ loginMethods
  .map((method): LoginMethodRow => loginMethodRows[method])
  .concat(crossApp, oidc)
/** Returns the login method that proves accounts of this type, or undefined. */
export const findLoginMethodByAccount = (type: string): LoginMethodRow | undefined =>
  allLoginMethodRows.find((each) => each.account.entries.type.literal === type)

type AnyLoginMethodRow = LoginMethodRows[SwitchedLoginMethod] | typeof crossApp | typeof oidc
export const accountSchemas: readonly AnyLoginMethodRow['account'][] = /* @__PURE__ */ allLoginMethodRows.map(
  (each) => each.account,
)

/** A cross-app account as a host page receives it. */
const hostCrossApp = () =>
  account('cross_app', {
    subject: text,
    providerApp: v.object({ id: text }),
    embeddedWallets: v.array(addressed),
    smartWallets: v.array(addressed),
  })

type HostAccountSchemas = readonly (
  | LoginMethodRows[SwitchedLoginMethod]['account']
  | ReturnType<typeof hostCrossApp>
  | typeof oidc.account
)[]

const createHostAccountSchemas = (): HostAccountSchemas => [
  ...loginMethods.map((method) => loginMethodRows[method].account),
  hostCrossApp(),
  oidc.account,
]

/** Marked as pure, so that the loader's bundle drops the schemas. */
export const hostAccountSchemas = /* @__PURE__ */ createHostAccountSchemas()

/** Login capabilities, by their folder names. */
export type LoginCapability = AnyLoginMethodRow['capability']

/** App settings that enable login methods. */
export type LoginSetting = LoginMethodRows[SwitchedLoginMethod]['setting']
export const loginSettings: readonly LoginSetting[] = /* @__PURE__ */ loginMethods.map(
  (method) => loginMethodRows[method].setting,
)

/** App settings of individual methods. Null until the operator sets them. */
export const methodAppSettings = {
  telegramAuthConfig: v.nullable(
    v.object({ botId: text, botName: text, linkEnabled: v.boolean(), seamlessAuthEnabled: v.boolean() }),
  ),
} as const

/** Host settings of individual methods. */
export const methodHostSettings = {
  telegram: v.optional(
    v.object({
      botId: v.optional(text),
      botName: v.optional(text),
      seamlessAuthEnabled: v.optional(v.boolean()),
      linkEnabled: v.optional(v.boolean()),
    }),
  ),
} as const

/** Editor descriptions of these settings, by path. */
export const methodHostSettingsDoc = {
  telegram: 'Settings of the Telegram login.',
  'telegram.botId':
    "The id of your page's bot. If it differs from the app's bot, Telegram login is disabled.",
  'telegram.botName':
    "The name of your page's bot. If it differs from the app's bot, Telegram login is disabled.",
  'telegram.seamlessAuthEnabled': 'Logs in automatically if Telegram opened the page.',
  'telegram.linkEnabled': 'Lets a user link a Telegram account.',
} as const

/**
 * Parameters that a login method adds to the host page's URL. The host page removes them and passes them to the dialog.
 */
export type AddressReturn = {
  method: SwitchedLoginMethod
  /** The link contains all required parameters. A subset may belong to the page itself. */
  query: { required: readonly string[]; optional: readonly string[] }
  /** The fragment parameter with the data that the method's own app passes to a page it opens. */
  fragment: string
}
export const addressReturns: readonly AddressReturn[] = [
  {
    method: 'telegram',
    query: {
      required: ['id', 'hash', 'auth_date'],
      optional: ['first_name', 'last_name', 'username', 'photo_url'],
    },
    // https://core.telegram.org/bots/webapps, in the fragment, which is not sent to servers.
    fragment: 'tgWebAppData',
  },
]
