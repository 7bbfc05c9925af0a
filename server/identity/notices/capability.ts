import { backgroundTasks, createBackgroundTasks } from '../../kernel/background-tasks.ts'
import { type Capability, port } from '../../kernel/capability.ts'
import { noticeMigrations } from './tables.ts'

export const notices: Capability = {
  name: 'notices',
  settings: ['newDeviceMails'],
  ports: [
    port(backgroundTasks, ({ log }) => {
      const tasks = createBackgroundTasks(log)
      return { value: tasks, close: tasks.close }
    }),
  ],
  migrations: noticeMigrations,
  userRows: [{ table: 'login_notices', goes: 'with the account', by: ['user_id'] }],
  expiryRules: [{ table: 'login_notices', key: ['id'], column: 'expires_at', retentionSeconds: 0 }],
}
