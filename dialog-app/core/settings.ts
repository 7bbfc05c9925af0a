/** What the app and the host decide together. A setting of the host wins where both have it. */
import { type AppConfig, type ClientConfig, type LoginMethod, product } from '@latchkey/protocol'
import type { HostViewport } from '@latchkey/protocol/host'

/** How the host's page looks, as it says itself. */
export type HostColorScheme = 'light' | 'dark' | 'normal'

export type Settings = {
  readonly app: AppConfig
  readonly config: ClientConfig
  readonly hostColorScheme: HostColorScheme
  /** Where the host's own view ends; undefined before it said so, and standalone. */
  readonly viewport: HostViewport | undefined
  readonly hostOrigin: string | null
  /** Where capabilities find others, by name; of what the app has off there is none. */
  readonly addresses: Readonly<Record<string, string>>
}

export const appName = ({ app, config }: Settings) => config.name ?? app.name

export const requiresTerms = ({ app, config }: Settings) =>
  config.legal?.requireUsersAcceptTerms ?? app.requireUsersAcceptTerms

/** `appearance.theme`: a setting of the host by its name, within its group where it has one. */
export type ClientSetting = {
  [Name in keyof ClientConfig & string]: NonNullable<ClientConfig[Name]> extends readonly unknown[]
    ? Name
    : NonNullable<ClientConfig[Name]> extends object
      ? `${Name}.${keyof NonNullable<ClientConfig[Name]> & string}`
      : Name
}[keyof ClientConfig & string]

/** What `makes-real.ts` of a capability says: settings of a host that do something because of it. */
export type MakesReal = {
  readonly client: readonly ClientSetting[]
  readonly loginMethods?: readonly LoginMethod[]
}

/** What the shell itself does. */
const shellSettings: readonly ClientSetting[] = [
  'name',
  'intl.locale',
  'legal.termsAndConditionsUrl',
  'legal.privacyPolicyUrl',
  'legal.requireUsersAcceptTerms',
  'appearance.theme',
  'appearance.accentColor',
  'appearance.logo',
  'appearance.palette',
]

/** What a host set and nothing that is there makes real, a sentence each. */
export function idleClientSettings(config: ClientConfig, made: ReadonlySet<string>): readonly string[] {
  const given = Object.entries(config).flatMap(([name, value]) =>
    typeof value === 'object' && !Array.isArray(value)
      ? Object.keys(value).map((inner) => `${name}.${inner}`)
      : [name],
  )
  return given
    .filter((name) => !made.has(name) && !shellSettings.some((own) => own === name))
    .map((name) => `The setting "${name}" does nothing in this release of ${product.name}.`)
}
