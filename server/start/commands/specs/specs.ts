/** All commands of `latchkey`, in the order of its help text. */
import type { Spec } from '../spec.ts'
import { adminSpec, auditSpec, operatorSpec } from './admin.ts'
import { appSpec } from './app.ts'
import { backupSpec, copySpec, restoreSpec } from './database.ts'
import { importSpec } from './import.ts'
import { keysSpec } from './keys.ts'
import { completionSpec, doctorSpec, initSpec, migrateSpec, serveSpec, verifySpec } from './server.ts'
import { usersSpec } from './users.ts'

export const specs = {
  init: initSpec,
  doctor: doctorSpec,
  serve: serveSpec,
  migrate: migrateSpec,
  app: appSpec,
  users: usersSpec,
  import: importSpec,
  admin: adminSpec,
  operator: operatorSpec,
  audit: auditSpec,
  keys: keysSpec,
  backup: backupSpec,
  restore: restoreSpec,
  copy: copySpec,
  verify: verifySpec,
  completion: completionSpec,
} as const satisfies Readonly<Record<string, Spec>>

export type CommandName = keyof typeof specs
