/**
 * What each login method is, a row each: everything that the dialog, the server and the wallet's pages have to know of a
 * method that is not their own is derived from here.
 */
import * as v from 'valibot'
import { keepsName } from '../names/naming.ts'
import { type CrossAppProvider, crossAppProvider, isCrossAppProvider } from './cross-app.ts'
import { fid, text } from './primitives.ts'
import {
  type SocialProvider,
  socialCallNames,
  socialProviderRows,
  socialProviders,
} from './social-providers.ts'
import { account, walletAccountSchema } from './wallets/wallet-account.ts'

/**
 * The login methods that an app has switches for, in the order in which the dialog offers them, with the name that the
 * calls of a page have for an account of each: `linkPhone()`. The loader ships these names alone, so whatever else stands
 * here is declared without effects, and a bundle leaves out what nobody in it asks for.
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

/** A login method that an app has a switch for. */
export type SwitchedLoginMethod = keyof typeof callNames
export const loginMethods = /* @__PURE__ */ Object.keys(callNames) as readonly SwitchedLoginMethod[]
/** Also a wallet of another app, by the provider's name: `latchkey:{appId}`. */
export type LoginMethod = SwitchedLoginMethod | CrossAppProvider

/** The accounts that a page can have linked and unlinked by calls of their own. */
export type Linkable = (typeof callNames)[SwitchedLoginMethod]

/** What an operator writes to name one account in an allowlist; `none` where an account has no name to be known by. */
export type IdentifierType =
  | 'e-mail address'
  | 'phone number'
  | 'wallet address'
  | 'subject'
  | 'number'
  | 'of an app'
  | 'none'

type Row = {
  /** The switch in the settings of an app. A wallet of another app has none: its operator registers it. */
  setting: string | undefined
  /** The account that somebody proves with it. */
  account: ReturnType<typeof account>
  /** The field that tells an account from others of its type. */
  idField: string
  identifier: IdentifierType
  /** How many accounts of the type a user may have: one, where this is left out. */
  maxPerUser?: number
  /** The fields that a person may know the account by, the first that it has. */
  shownBy: readonly string[]
  /**
   * How a page greets the person by the account: the first of these that says anything, a name of several fields with a
   * space between; the usual names at a provider, where this is left out.
   */
  greetedBy?: readonly (readonly string[])[]
  /** A name that is the same in every language; undefined where the texts have a word for the method. */
  title?: string
  /** The folder that the method has in the dialog, whose entry the page of a call that waits may ask for at once. */
  capability: string
  /**
   * When LANDING shows the method at once: where wallets come first, or beside few others, because it stands behind a
   * button else; whenever the app has it on, where this is left out.
   */
  preload?: 'wallets first' | 'beside few'
  /** The person comes back from another window or page, so a success stays to be seen for longer. */
  leavesCard?: true
  /** The person proves it on their phone and then looks back at the card, where a success may have to stay for longer. */
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

/** An account at a provider is known by its user name, or else by an address or a name. */
const shownFields = ['username', 'email', 'name'] as const

function providerRow<const P extends SocialProvider>(provider: P) {
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
type ProviderDescriptors = { [P in SocialProvider]: ReturnType<typeof providerRow<P>> }

const providerDescriptors = /* @__PURE__ */ Object.fromEntries(
  /* @__PURE__ */ socialProviders.map((provider) => [provider, providerRow(provider)]),
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
    // Every read of a user reads them all.
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
/** A wallet of another app, whichever app that is: its name as a login method is known at run time alone. */
const crossApp = {
  setting: undefined,
  capability: 'cross-app',
  account: account('cross_app', {
    subject: text,
    providerAppId: text,
    /**
     * Addresses that the provider claims for this user. Nothing proves them: ask for a signature before an address counts
     * as the user's.
     */
    embeddedWallets: v.array(addressed),
    /** Claimed by the provider, as `embeddedWallets` are. */
    smartWallets: v.array(addressed),
  }),
  idField: 'subject',
  identifier: 'of an app',
  shownBy: [],
  leavesCard: true,
} as const satisfies Row

export const loginMethodSchema = v.union([v.picklist(loginMethods), crossAppProvider])

type LoginMethodRows = typeof loginMethodRows
export type LoginMethodRow = Row & { account: (typeof accountSchemas)[number] }

export const getLoginMethod = (method: LoginMethod): LoginMethodRow =>
  isCrossAppProvider(method) ? crossApp : loginMethodRows[method]

export const allLoginMethodRows: readonly LoginMethodRow[] = /* @__PURE__ */ loginMethods
  .map((method): LoginMethodRow => loginMethodRows[method])
  .concat(crossApp)
/** The login method that proves accounts of a type; undefined of a type that no method proves. */
export const findLoginMethodByAccount = (type: string): LoginMethodRow | undefined =>
  allLoginMethodRows.find((each) => each.account.entries.type.literal === type)

export const accountSchemas: readonly (LoginMethodRows[SwitchedLoginMethod] | typeof crossApp)['account'][] =
  /* @__PURE__ */ allLoginMethodRows.map((each) => each.account)

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
)[]

const createHostAccountSchemas = (): HostAccountSchemas => [
  ...loginMethods.map((method) => loginMethodRows[method].account),
  hostCrossApp(),
]

/** A call that is marked as pure: the loader's script has no use for the schemas, and leaves them out. */
export const hostAccountSchemas = /* @__PURE__ */ createHostAccountSchemas()

/** The capabilities that log in, by the names of their folders. */
export type LoginCapability = (LoginMethodRows[SwitchedLoginMethod] | typeof crossApp)['capability']

/** The switches that an app has for its login methods. */
export type LoginSetting = LoginMethodRows[SwitchedLoginMethod]['setting']
export const loginSettings: readonly LoginSetting[] = /* @__PURE__ */ loginMethods.map(
  (method) => loginMethodRows[method].setting,
)

/** What an app has to say of single methods beside their switches: null before its operator says it. */
export const methodAppSettings = {
  telegramAuthConfig: v.nullable(
    v.object({ botId: text, botName: text, linkEnabled: v.boolean(), seamlessAuthEnabled: v.boolean() }),
  ),
} as const

/** What a page has to say of single methods. */
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

/** What an editor says of these settings, by their paths. */
export const methodHostSettingsDoc = {
  telegram: 'What a login by Telegram needs.',
  'telegram.botId':
    'The number of the bot that your page is for: with another one than the app has, nobody logs in by Telegram.',
  'telegram.botName': 'The name of the bot that your page is for, in the same way.',
  'telegram.seamlessAuthEnabled': 'Logs in at once where Telegram has opened the page.',
  'telegram.linkEnabled': 'Lets a user link a Telegram account.',
} as const

/** What a login method puts into the address of the host's page, which takes it out for the dialog. */
export type AddressReturn = {
  method: SwitchedLoginMethod
  /** A link of the method brings all that are required. Some of them alone are the page's own. */
  query: { required: readonly string[]; optional: readonly string[] }
  /** The parameter behind the `#` that holds what the method's own app gave a page that it opened itself. */
  fragment: string
}
export const addressReturns: readonly AddressReturn[] = [
  {
    method: 'telegram',
    query: {
      required: ['id', 'hash', 'auth_date'],
      optional: ['first_name', 'last_name', 'username', 'photo_url'],
    },
    // https://core.telegram.org/bots/webapps, in the part of the address that no server sees.
    fragment: 'tgWebAppData',
  },
]
