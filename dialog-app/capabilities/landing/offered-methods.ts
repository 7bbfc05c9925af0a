/** Which login methods LANDING offers, and in which order. */
import { isOn, type OfferedMethod } from '../../contract/login.ts'
import { type Settings, wantedMethods } from '../../host/settings.ts'

/**
 * The host chooses among what the app has on, and orders it. A method that the app has on and no capability brings
 * is not offered.
 */
export function offeredMethods(
  settings: Settings,
  brought: readonly OfferedMethod[],
): readonly OfferedMethod[] {
  const { app, config } = settings
  return [...new Set(wantedMethods(config))].flatMap((name) =>
    brought.filter((each) => each.method === name && isOn(app, each) && (each.isHere?.(settings) ?? true)),
  )
}
