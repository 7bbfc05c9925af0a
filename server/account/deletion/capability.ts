import type { Capability } from '../../kernel/capability.ts'
import { deleteUserCommand } from './command.ts'
import { accountDeletionEndpoints } from './routes.ts'
import { overdueUsers } from './store.ts'

export const accountDeletion: Capability = {
  name: 'account-deletion',
  endpoints: accountDeletionEndpoints,
  appCommands: [deleteUserCommand],
  expiries: [overdueUsers],
}
