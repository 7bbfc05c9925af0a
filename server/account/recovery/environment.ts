import * as v from 'valibot'
import type { ServerConfig } from '../../kernel/config.ts'
import { environmentPart } from '../../kernel/environment.ts'
import { readOAuthSettings } from '../../login/oauth/oauth.ts'

/** The operator's CloudKit container, which stores the iCloud files. */
export type CloudKitContainer = {
  container: string
  environment: 'development' | 'production'
  /** The CloudKit web services token. It is public and useless without a user's session. */
  apiToken: string
}

const pattern = /^(iCloud\.[A-Za-z0-9.-]+):(development|production):([A-Za-z0-9]+)$/

export const recoveryEnvironment = environmentPart(
  {
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
  },
  {
    CLOUDKIT:
      'The container that keeps recovery files in iCloud: `<container>:<development or production>:<API token>`. The token is public.',
  },
)

type Config = Pick<ServerConfig, 'parts'>

export const getCloudKit = (config: Config) => recoveryEnvironment.read(config).CLOUDKIT

/** Returns the URL of a host, or its folder on the sandbox server. */
const getAddress = (config: Config, host: string) => {
  const { providersUrl } = readOAuthSettings(config)
  return providersUrl === undefined ? `https://${host}` : `${providersUrl}/${host}`
}

/** The API URLs for the wallet frame. */
export const cloudAddresses = {
  'google-drive': (config: Config) => getAddress(config, 'www.googleapis.com'),
  icloud: (config: Config) => getAddress(config, 'api.apple-cloudkit.com'),
} as const

/** The origin of the iCloud sign-in page. */
export const icloudWindowOrigin = (config: Config) =>
  new URL(getAddress(config, 'cdn.apple-cloudkit.com')).origin
