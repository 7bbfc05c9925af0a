import type { Capability } from '../../kernel/capability.ts'
import { messageEndpoints } from './calls.ts'
import { messagesCommand } from './command.ts'

export const messages: Capability = {
  name: 'messages',
  adminEndpoints: messageEndpoints,
  appCommands: [messagesCommand],
}
