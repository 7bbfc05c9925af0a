/** The specs of the commands that work on a whole database. */
import type { CommandSpec } from '../spec.ts'

const ignoreUnknown = {
  type: 'boolean',
  meaning: 'leaves out tables that this release does not know',
} as const

export const backupSpec = {
  summary: 'writes a snapshot of the database of DATABASE_URL into a new folder',
  options: {
    to: { type: 'string', value: '<path>', isRequired: true, meaning: 'the folder. It must not exist' },
    'with-keys': {
      type: 'boolean',
      meaning:
        'puts the master key files into the folder too. Anyone with this folder can read every wallet that recovers automatically, and everything else. Without it the folder is of use only together with the key files, which you back up apart: latchkey keys backup',
    },
    'ignore-unknown': ignoreUnknown,
  },
  details: `Servers may run meanwhile. To restore a backup, run: latchkey restore --from <path>`,
} as const satisfies CommandSpec

export const restoreSpec = {
  summary: 'fills the database of DATABASE_URL from a backup',
  options: {
    from: {
      type: 'string',
      value: '<path>',
      isRequired: true,
      meaning: 'the folder that latchkey backup wrote',
    },
    'keep-sessions': {
      type: 'boolean',
      meaning:
        'keeps users logged in. Without it all sessions are ended, because a session that was ended after the backup would be active again',
    },
    'with-keys': {
      type: 'boolean',
      meaning:
        'takes the key files from the backup too, to MASTER_KEY_FILE and RECOVERY_MASTER_KEY_FILE, if no file is there',
    },
    'ignore-unknown': ignoreUnknown,
  },
  details: `The database must be empty or missing, of either engine. The backup is checked before anything is written: it is
complete, unchanged, and opens with your key files. Pending data of the backup is left out: codes, windows,
confirmations. If the restore is interrupted, the database is still empty: run the command again.`,
} as const satisfies CommandSpec

const database = { type: 'string', value: '<database>', isRequired: true } as const

export const copySpec = {
  summary: 'copies a database into an empty one and checks that both are the same',
  options: {
    from: {
      ...database,
      meaning: 'the database to read: sqlite:<path> or postgres://<user>@<host>/<database>',
    },
    to: { ...database, meaning: 'the empty database to write, of either engine' },
    'while-running': {
      type: 'boolean',
      meaning:
        'copies although servers use the first database. Writes after the start of the copy are not included',
    },
    'ignore-unknown': ignoreUnknown,
  },
  details: `Set PGPASSWORD instead of writing a password here, where other users of the machine can read it. Both databases
belong to the same master key: MASTER_KEY_FILE and, if set, RECOVERY_MASTER_KEY_FILE. The first database is not changed.
If the copy is interrupted, the second database is still empty: run the command again.`,
} as const satisfies CommandSpec
