import type { MakesReal } from '../../core/settings.ts'

export const makesReal: MakesReal = { client: ['fiatOnRamp.enabled', 'fiatOnRamp.useSandbox'] }
