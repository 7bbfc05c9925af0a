/**
 * Which settings of an app do something. A capability names those that it makes real; one that is on and that
 * nobody names would promise what this server does not keep.
 */
import { snakeCase } from '@latchkey/protocol'
import { type StoredConfig, storedConfigSchema } from './stored-config.ts'

/** A setting, a part of one, or one of the values that it may list: `mfaMethods.totp`. */
export type Setting = keyof StoredConfig | `${keyof StoredConfig}.${string}`

/** The settings that are on and that no capability serves, by their names in the API. */
export function settingsWithoutCapability(
  config: Partial<StoredConfig>,
  real: readonly Setting[],
): readonly string[] {
  const isReal = (path: readonly string[]) =>
    real.some((setting) => setting.split('.').every((name, at) => path[at] === name))
  // The app's config as browsers get it says more: its id, its key, its times.
  const isSetting = ([name = '']: readonly string[]) => Object.hasOwn(storedConfigSchema.entries, name)
  return settingsThatAreOn(config, [])
    .filter((path) => isSetting(path) && !isReal(path))
    .map((path) => path.map(snakeCase).join('.'))
}

function settingsThatAreOn(value: unknown, path: readonly string[]): readonly (readonly string[])[] {
  if (Array.isArray(value)) return value.map((entry) => [...path, String(entry)])
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([name, inner]) => settingsThatAreOn(inner, [...path, name]))
  }
  return isOn(value) ? [path] : []
}

const isOn = (value: unknown) => value !== undefined && value !== null && value !== false && value !== 'off'
