import type { Capability } from '../../kernel/capability.ts'
import { descriptorEndpoints } from './admin-calls.ts'
import { descriptorsCommand } from './command.ts'
import { descriptorMigrations } from './store.ts'

export const descriptors: Capability = {
  name: 'wallet/descriptors',
  adminEndpoints: descriptorEndpoints,
  migrations: descriptorMigrations,
  appCommands: [descriptorsCommand],
}
