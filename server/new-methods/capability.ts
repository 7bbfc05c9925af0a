import type { Capability } from '../capability.ts'

export const newMethods: Capability = {
  name: 'new-methods',
  settings: ['newMethodHours'],
}
