import { defineCapability } from '../../core/capability.ts'
import { recoverAutomatically } from './automatic.ts'

export const recovery = defineCapability({
  name: 'recovery',
  loadedFor: 'nobody',
  bring: (ports) => ({ remedies: [recoverAutomatically(ports)] }),
})
