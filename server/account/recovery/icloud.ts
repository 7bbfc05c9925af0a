/**
 * Finds the iCloud sign-in page. Apple's page reports to its opener on the wallet origin, so the server receives
 * no credentials.
 * https://developer.apple.com/library/archive/documentation/DataManagement/Conceptual/CloudKitWebServicesReference/
 */
import { LatchkeyError } from '@latchkey/protocol'
import * as v from 'valibot'
import type { App } from '../../identity/apps/apps.ts'
import { isOwnAddress } from '../../kernel/config.ts'
import type { ServerContext } from '../../kernel/context.ts'
import { fetchThirdParty } from '../../kernel/third-party-fetch.ts'
import { assertMethodAllowed } from '../../wallet/wallets/wallets.ts'
import { type CloudKitContainer, cloudAddresses, getCloudKit, icloudWindowOrigin } from './environment.ts'

export function requireCloudKit({ config }: ServerContext, app: App): CloudKitContainer {
  assertMethodAllowed(app, 'icloud', false)
  const kit = getCloudKit(config)
  if (kit) return kit
  throw new LatchkeyError('disallowed_recovery_method', 'This server has no CloudKit container', {
    details: { setting: 'CLOUDKIT' },
  })
}

const refusalSchema = v.object({ redirectURL: v.pipe(v.string(), v.url()) })

/** Returns the sign-in URL that CloudKit sends for an unauthenticated request. */
export async function getAppleSignInUrl(
  context: ServerContext,
  app: App,
): Promise<{ url: string; origin: string }> {
  const { container, environment, apiToken } = requireCloudKit(context, app)
  const path = `/database/1/${encodeURIComponent(container)}/${environment}/public/users/caller`
  const url = new URL(cloudAddresses.icloud(context.config) + path)
  url.searchParams.set('ckAPIToken', apiToken)
  try {
    const response = await fetchThirdParty(url, { party: 'icloud' })
    const { redirectURL } = v.parse(refusalSchema, await response.json())
    if (isOwnAddress(context.config, redirectURL)) throw new Error('The redirect URL belongs to this server')
    return { url: redirectURL, origin: icloudWindowOrigin(context.config) }
  } catch (cause) {
    context.log.error({ why: cause instanceof Error ? cause.name : typeof cause }, 'CloudKit failed')
    throw new LatchkeyError('oauth_unexpected', 'iCloud could not be reached. Please try again.', { cause })
  }
}
