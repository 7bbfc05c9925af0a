/** Developer warnings about host page settings that have no effect. */
import { type ClientConfig, isNamedLoginMethod, loginMethods, product } from '@latchkey/protocol'

/** The name of a client setting, with its group if it has one: `appearance.theme`. */
export type ClientSetting = {
  [Name in keyof ClientConfig & string]: NonNullable<ClientConfig[Name]> extends readonly unknown[]
    ? Name
    : NonNullable<ClientConfig[Name]> extends object
      ? `${Name}.${keyof NonNullable<ClientConfig[Name]> & string}`
      : Name
}[keyof ClientConfig & string]

/** Settings that the shell itself uses. */
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

/** Returns a warning for each setting that no capability uses. */
export function idleClientSettings(config: ClientConfig, used: ReadonlySet<string>): readonly string[] {
  const names = Object.entries(config).flatMap(([name, value]) =>
    typeof value === 'object' && !Array.isArray(value)
      ? Object.keys(value).map((inner) => `${name}.${inner}`)
      : [name],
  )
  return names
    .filter((name) => !used.has(name) && !shellSettings.some((own) => own === name))
    .map((name) => `The setting "${name}" does nothing in this release of ${product.name}.`)
}

/** Returns a warning for each unknown login method. */
export function idleLoginMethods({ loginMethods: chosen = [], loginMethodsAndOrder: order }: ClientConfig) {
  const names = [...chosen, ...(order?.primary ?? []), ...(order?.overflow ?? [])]
  return [...new Set(names)]
    .filter((name) => !loginMethods.some((method) => method === name) && !isNamedLoginMethod(name))
    .map(idleWarning)
}

const shownNameLength = 64

const idleWarning = (method: string) =>
  `The login method "${method.slice(0, shownNameLength)}" does nothing in this release of ${product.name}.`
