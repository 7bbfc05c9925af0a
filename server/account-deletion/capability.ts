import type { Capability } from '../capability.ts'
import { deleteUserCommand } from './command.ts'
import { accountDeletionEndpoints } from './routes.ts'
import { overdueUsers } from './store.ts'
import { accountDeletionMigrations } from './tables.ts'

export const accountDeletion: Capability = {
  name: 'account-deletion',
  endpoints: accountDeletionEndpoints,
  appCommands: [deleteUserCommand],
  migrations: accountDeletionMigrations,
  expiries: [overdueUsers],
}
