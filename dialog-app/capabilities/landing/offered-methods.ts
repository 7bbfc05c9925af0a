/** Which login methods LANDING offers, and in which order. */
import { type LoginMethod, loginMethods } from '@latchkey/protocol'
import type { OfferedMethod } from '../../core/login.ts'
import type { Settings } from '../../core/settings.ts'

/**
 * The host chooses among what the app has on, and orders it. A method that the app has on and no capability brings
 * is not offered.
 */
export function offeredMethods(
  settings: Settings,
  brought: readonly OfferedMethod[],
): readonly OfferedMethod[] {
  const { app, config } = settings
  const { loginMethods: chosen, loginMethodsAndOrder: order } = config
  const wanted: readonly (LoginMethod | string)[] = order
    ? [...order.primary, ...(order.overflow ?? [])]
    : (chosen ?? loginMethods)
  return [...new Set(wanted)].flatMap((name) =>
    brought.filter(
      ({ method, appSetting, isHere }) =>
        method === name && app[appSetting] === true && (isHere?.(settings) ?? true),
    ),
  )
}
