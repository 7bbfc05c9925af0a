import type { Capability } from '../../kernel/capability.ts'
import { descriptorsCommand } from './command.ts'
import { descriptorMigrations } from './store.ts'

export const descriptors: Capability = {
  name: 'wallet/descriptors',
  migrations: descriptorMigrations,
  appCommands: [descriptorsCommand],
}
