/**
 * Which settings of a host do something here: those that each capability names in its `client-settings.ts`, without the
 * rest of it, since a host is told of the others at its first message, when no capability is loaded yet.
 */
import type { ClientSetting } from '../host/idle-settings.ts'

const ofCapabilities = import.meta.glob<readonly ClientSetting[]>('./*/client-settings.ts', {
  eager: true,
  import: 'clientSettings',
})

export const usedSettings: ReadonlySet<string> = new Set(Object.values(ofCapabilities).flat())
