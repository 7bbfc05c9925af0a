import * as v from 'valibot'
import type { ServerConfig } from '../../kernel/config.ts'
import { environmentPart } from '../../kernel/environment.ts'
import { oauthSettingsOf } from '../../login/oauth/oauth.ts'

/** Whose container at Apple the files of iCloud lie in. */
export type CloudKitContainer = {
  container: string
  environment: 'development' | 'production'
  /** The token of CloudKit's web services. It is for browsers, and worth nothing without a user's session. */
  apiToken: string
}

const pattern = /^(iCloud\.[A-Za-z0-9.-]+):(development|production):([A-Za-z0-9]+)$/

export const recoveryEnvironment = environmentPart({
  CLOUDKIT: v.optional(
    v.pipe(
      v.string(),
      v.regex(pattern, 'must be <container>:<development or production>:<API token>'),
      v.transform((value): CloudKitContainer => {
        const [, container = '', environment, apiToken = ''] = pattern.exec(value) ?? []
        const isProduction = environment === 'production'
        return { container, environment: isProduction ? 'production' : 'development', apiToken }
      }),
    ),
  ),
})

type Config = Pick<ServerConfig, 'parts'>

export const cloudKitOf = (config: Config) => recoveryEnvironment.read(config).CLOUDKIT

/** The address of a host, or of a folder that stands for it where the providers are those of a sandbox. */
const addressOf = (config: Config, host: string) => {
  const { providersUrl } = oauthSettingsOf(config)
  return providersUrl === undefined ? `https://${host}` : `${providersUrl}/${host}`
}

/** Where the wallet frame finds the files of its user. */
export const cloudAddresses = {
  'google-drive': (config: Config) => addressOf(config, 'www.googleapis.com'),
  icloud: (config: Config) => addressOf(config, 'api.apple-cloudkit.com'),
} as const

/** The origin of the page that tells who has signed in to iCloud. */
export const icloudWindowOrigin = (config: Config) =>
  new URL(addressOf(config, 'cdn.apple-cloudkit.com')).origin
