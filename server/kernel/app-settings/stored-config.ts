/** The app settings that an operator can change, and their defaults. */
import { appConfigSchema, defaultAppSettings, solanaClusters } from '@latchkey/protocol'
import * as v from 'valibot'
import { approvalSettings, defaultApprovalSettings } from './approval-settings.ts'
import { appLimits } from './limits.ts'
import { defaultLoginSettings, loginSettings } from './login-settings.ts'
import { defaultSponsorSettings, sponsorSettings } from './sponsor-settings.ts'

// Chain settings: the chains of an app and their RPC nodes.

/** https, or http to this machine during development. */
const rpcUrl = v.pipe(
  v.string(),
  v.url(),
  v.regex(/^(https:\/\/|http:\/\/(127\.0\.0\.1|localhost|\[::1\]|[a-z0-9-]+\.localhost)(:\d+)?(\/|$))/),
)
const chainId = v.pipe(v.number(), v.safeInteger(), v.minValue(1))
/** A name that users read next to an amount. Rejects invisible characters and direction overrides. */
const displayName = (maxLength: number) =>
  v.pipe(
    v.string(),
    v.maxLength(maxLength),
    v.regex(/^[\p{L}\p{N}][\p{L}\p{N} ._-]*$/u, 'a name has letters, digits, spaces and . _ -'),
  )
const chainKey = v.pipe(v.string(), v.regex(/^[1-9][0-9]{0,14}$/, 'a chain is named by its number'))

const rpcUrls = v.pipe(v.array(rpcUrl), v.minLength(1), v.maxLength(appLimits.maxRpcUrls))

const chainSettings = {
  rpcUrls: v.record(chainKey, rpcUrls),
  solanaRpcUrls: v.record(v.picklist(solanaClusters), rpcUrls),
  chains: v.pipe(
    v.array(
      v.strictObject({
        id: chainId,
        name: displayName(appLimits.maxChainNameLength),
        symbol: displayName(appLimits.maxSymbolLength),
        /** Wallets store decimals as uint8; no known coin has more than a third of this limit. */
        decimals: v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(36)),
        explorerUrl: v.exactOptional(v.pipe(v.string(), v.url(), v.startsWith('https://'))),
        opStack: v.exactOptional(v.boolean()),
      }),
    ),
    v.maxLength(appLimits.maxChains),
    v.check(
      (list) => new Set(list.map(({ id }) => id)).size === list.length,
      'a chain can be listed only once',
    ),
  ),
  testNetworks: v.array(chainId),
  sponsoredChains: v.pipe(v.array(chainId), v.maxLength(appLimits.maxChains)),
}

/**
 * The content of the `config` column. The other fields of `AppConfig` have their own columns or belong to the server.
 */
export const storedConfigSchema = v.object({
  ...v.omit(appConfigSchema, ['id', 'name', 'verificationKey', 'createdAt', 'updatedAt', 'allowedDomains'])
    .entries,
  ...chainSettings,
  ...approvalSettings,
  ...loginSettings,
  ...sponsorSettings,
})
export type StoredConfig = v.InferOutput<typeof storedConfigSchema>

/** The settings of a new app. */
export const defaultStoredConfig: StoredConfig = {
  ...defaultAppSettings,
  ...defaultApprovalSettings,
  ...defaultLoginSettings,
  ...defaultSponsorSettings,
}
