import type { Capability } from '../../kernel/capability.ts'
import { templateMigrations } from './store.ts'

export const templates: Capability = { name: 'message-templates', migrations: templateMigrations }
