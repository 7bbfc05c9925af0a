import type { Capability } from '../../kernel/capability.ts'
import { messageEndpoints } from './calls.ts'

export const messages: Capability = { name: 'messages', adminEndpoints: messageEndpoints }
