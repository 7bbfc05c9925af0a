/**
 * Detects app settings without an implementation. Each capability lists the settings that it implements; a setting that
 * is on but implemented by no capability must be refused, because it would have no effect.
 */
import { snakeCase } from '@latchkey/protocol'
import { type StoredConfig, storedConfigSchema } from './stored-config.ts'

/** A setting, a nested setting or one value of a list setting: `mfaMethods.totp`. */
export type Setting = keyof StoredConfig | `${keyof StoredConfig}.${string}`

/** Returns the API names of the enabled settings that no capability implements. */
export function findUnimplementedSettings(
  config: Partial<StoredConfig>,
  real: readonly Setting[],
): readonly string[] {
  const isReal = (path: readonly string[]) =>
    real.some((setting) => setting.split('.').every((name, at) => path[at] === name))
  // The app config that browsers receive also has fields that are no settings: id, key, timestamps.
  const isSetting = ([name = '']: readonly string[]) => Object.hasOwn(storedConfigSchema.entries, name)
  return listEnabledSettings(config, [])
    .filter((path) => isSetting(path) && !isReal(path))
    .map((path) => path.map(snakeCase).join('.'))
}

function listEnabledSettings(value: unknown, path: readonly string[]): readonly (readonly string[])[] {
  if (Array.isArray(value)) return value.map((entry) => [...path, String(entry)])
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([name, inner]) => listEnabledSettings(inner, [...path, name]))
  }
  return isOn(value) ? [path] : []
}

const isOn = (value: unknown) => value !== undefined && value !== null && value !== false && value !== 'off'
