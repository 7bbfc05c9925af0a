/**
 * Detects changes of settings that widen the rights of pages, approvals or logins. Operators make them with the command
 * line. The Admin API refuses them to a single operator.
 */
import { isDeepStrictEqual } from 'node:util'
import { type LoginSetting, loginSettings, snakeCase } from '@latchkey/protocol'
import type { ApprovalSettings, ListedCall } from '../../kernel/app-settings/approval-settings.ts'
import type { StoredConfig } from '../../kernel/app-settings/stored-config.ts'
import type { AppRow } from './store.ts'
import { parseOrigins, parseStoredConfig } from './stored-app.ts'

type Settings = Omit<StoredConfig, LoginSetting> &
  Pick<
    AppRow,
    'name' | 'environment' | 'session_mode' | 'max_users' | 'deleted_users_kept_days' | 'analytics'
  > & { allowed_origins: string[] }

type Widens<Value> = (before: Value, after: Value) => boolean

const never: Widens<unknown> = () => false
const always: Widens<unknown> = (before, after) => !isDeepStrictEqual(before, after)
const turnedOn: Widens<boolean> = (before, after) => after && !before
const turnedOff: Widens<boolean> = (before, after) => before && !after
/** Null is no limit. */
const isRaised: Widens<number | null> = (before, after) => (after ?? Infinity) > (before ?? Infinity)
const isLowered: Widens<number> = (before, after) => after < before
const isExtended: Widens<unknown[]> = (before, after) =>
  after.some((entry) => !before.some((earlier) => isDeepStrictEqual(earlier, entry)))
const isShortened: Widens<unknown[]> = (before, after) => isExtended(after, before)

const allowsMoreCalls: Widens<ListedCall[]> = (before, after) =>
  after.some((call) => !before.some((earlier) => includesCall(earlier, call)))

/** Returns whether the earlier entry already allows the call. A call has one of the two limits. */
function includesCall(earlier: ListedCall, call: ListedCall): boolean {
  const isSame =
    earlier.chain === call.chain && earlier.contract === call.contract && earlier.selector === call.selector
  if (!isSame) return false
  return call.usdPerDay === undefined
    ? (call.callsPerDay ?? Infinity) <= (earlier.callsPerDay ?? -1)
    : call.usdPerDay <= (earlier.usdPerDay ?? -1)
}

const allowsMoreWithoutPrompt: Widens<ApprovalSettings['noPrompt']> = (before, after) =>
  after !== null &&
  (before === null ||
    turnedOn(before.messages, after.messages) ||
    isRaised(before.usdPerDay, after.usdPerDay) ||
    allowsMoreCalls(before.calls, after.calls) ||
    isExtended(before.typedData, after.typedData))

/** A rule for each setting except login methods, which change no user's accounts. */
const rules: { [Name in keyof Settings]: Widens<Settings[Name]> } = {
  name: never,
  environment: (before, after) => after === 'development' && before !== after,
  session_mode: always,
  max_users: never,
  deleted_users_kept_days: never,
  analytics: never,
  allowed_origins: isExtended,

  logoUrl: never,
  iconUrl: never,
  accentColor: never,
  theme: never,
  showWalletLoginFirst: never,
  solanaWalletAuth: never,
  termsAndConditionsUrl: never,
  privacyPolicyUrl: never,
  requireUsersAcceptTerms: never,
  allowlistEnabled: never,
  allowlistConfig: never,
  twitterOauthOnMobileEnabled: never,
  crossOriginOpenerPolicy: never,
  legacyWalletUiConfig: never,
  tokenMetadataKeys: never,

  customApiUrl: always,
  allowedNativeAppIds: isExtended,
  allowedNativeAppUrlSchemes: isExtended,
  telegramAuthConfig: always,
  walletConnectCloudProjectId: always,
  rpcUrls: always,
  solanaRpcUrls: always,
  chains: always,
  testNetworks: isExtended,
  // Spends the operator's money, and lets wallets run the account contract.
  sponsoredChains: isExtended,
  sponsoredClusters: isExtended,
  sponsorLimits: always,
  captchaSiteKey: always,
  captchaEnabled: turnedOff,
  fiatOnRampEnabled: turnedOn,
  crossAppProvider: turnedOn,
  dappConnections: turnedOn,
  solanaBesideEthereum: turnedOn,
  oauthTokensToHost: turnedOn,
  mfaMethods: isShortened,
  embeddedWalletConfig: ({ createOnLogin: _, ...before }, { createOnLogin: __, ...after }) =>
    always(before, after),

  frameApprovalsUsdPerDay: isRaised,
  frameApprovalsUsdPerDayUnseen: isRaised,
  frameMessagesPerDay: isRaised,
  cardCalls: allowsMoreCalls,
  cardTypedData: isExtended,
  noPrompt: allowsMoreWithoutPrompt,
  enforceWalletUis: turnedOff,
  confirmRedirectLogins: turnedOff,
  newMethodHours: isLowered,
  newDeviceMails: turnedOff,
  testAccounts: isExtended,
}

const readSettings = (app: AppRow): Settings => ({
  ...app,
  ...parseStoredConfig(app),
  allowed_origins: [...parseOrigins(app)],
})

function widens<Name extends keyof Settings>(name: Name, before: Settings, after: Settings): boolean {
  return rules[name](before[name], after[name])
}

/** Returns the settings that the change widens, by their wire names. */
export function findWidenedSettings(before: AppRow, after: AppRow): string[] {
  const [earlier, later] = [readSettings(before), readSettings(after)]
  return (Object.keys(rules) as (keyof Settings)[])
    .filter((name) => widens(name, earlier, later))
    .map(snakeCase)
}

/** The settings that no change widens, by their wire names. */
export const harmlessSettings = [
  ...loginSettings,
  ...Object.entries<unknown>(rules).flatMap(([name, rule]) => (rule === never ? name : [])),
].map(snakeCase)
