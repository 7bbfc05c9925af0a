/** What a host sets and that does nothing here, a sentence each, for whoever builds the host. */
import { type ClientConfig, isCrossAppProvider, loginMethods, product } from '@latchkey/protocol'

/** A setting of the host by its name, within its group where it has one: `appearance.theme`. */
export type ClientSetting = {
  [Name in keyof ClientConfig & string]: NonNullable<ClientConfig[Name]> extends readonly unknown[]
    ? Name
    : NonNullable<ClientConfig[Name]> extends object
      ? `${Name}.${keyof NonNullable<ClientConfig[Name]> & string}`
      : Name
}[keyof ClientConfig & string]

/** What the shell itself does. */
const shellSettings: readonly ClientSetting[] = [
  'name',
  'intl.locale',
  'legal.termsAndConditionsUrl',
  'legal.privacyPolicyUrl',
  'appearance.theme',
  'appearance.accentColor',
  'appearance.logo',
  'appearance.palette',
]

/** Settings that no capability uses. */
export function idleClientSettings(config: ClientConfig, used: ReadonlySet<string>): readonly string[] {
  const given = Object.entries(config).flatMap(([name, value]) =>
    typeof value === 'object' && !Array.isArray(value)
      ? Object.keys(value).map((inner) => `${name}.${inner}`)
      : [name],
  )
  return given
    .filter((name) => !used.has(name) && !shellSettings.some((own) => own === name))
    .map((name) => `The setting "${name}" does nothing in this release of ${product.name}.`)
}

/** Names of login methods that a host gives and that are none. */
export function idleLoginMethods({ loginMethods: chosen = [], loginMethodsAndOrder: order }: ClientConfig) {
  const named = [...chosen, ...(order?.primary ?? []), ...(order?.overflow ?? [])]
  return [...new Set(named)]
    .filter((name) => !loginMethods.some((method) => method === name) && !isCrossAppProvider(name))
    .map(idleWarning)
}

const shownNameLength = 64

const idleWarning = (method: string) =>
  `The login method "${method.slice(0, shownNameLength)}" is on, but this release of ${product.name} does not have it.`
