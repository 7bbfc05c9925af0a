/** Migrations in the order in which they run. A released migration is never edited; a new one corrects it. */
import { firstTables } from './0001-first-tables.ts'
import { boundedGrowth } from './0002-bounded-growth.ts'
import { mfaMethods } from './0003-mfa-methods.ts'
import { deletedUsers } from './0004-deleted-users.ts'
import { sessionDevices } from './0005-session-devices.ts'
import { loginAccounts } from './0006-login-accounts.ts'
import { masterKeyRotation } from './0007-master-key-rotation.ts'
import { runningServers } from './0008-running-servers.ts'
import { recoveryKeys } from './0009-recovery-keys.ts'
import { firstAccounts } from './0010-first-accounts.ts'
import { analyticsSetting } from './0011-analytics-setting.ts'
import type { Migrations } from './migration.ts'

export const migrations: Migrations = {
  '0001-first-tables': firstTables,
  '0002-bounded-growth': boundedGrowth,
  '0003-mfa-methods': mfaMethods,
  '0004-deleted-users': deletedUsers,
  '0005-session-devices': sessionDevices,
  '0006-login-accounts': loginAccounts,
  '0007-master-key-rotation': masterKeyRotation,
  '0008-running-servers': runningServers,
  '0009-recovery-keys': recoveryKeys,
  '0010-first-accounts': firstAccounts,
  '0011-analytics-setting': analyticsSetting,
}
