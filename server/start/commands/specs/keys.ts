/** The spec of `latchkey keys`. */
import type { GroupSpec } from '../spec.ts'

export const keysSpec = {
  summary: 'lists, backs up and rotates keys',
  commands: {
    show: {
      summary: 'lists the keys in use with their ids',
      options: { json: { type: 'boolean', meaning: 'prints one object of JSON a line' } },
    },
    backup: {
      summary: 'copies each master key file',
      arguments: '<file> [<recovery file>]',
      details:
        'Keep the copies apart from each other and from backups of the database. A copy is never overwritten.',
    },
    rotate: {
      summary: 'replaces a key',
      forms: [
        {
          arguments: 'signing [--at-once]',
          meaning: 'creates a new key for tokens. With --at-once, every token of the old key is invalid',
        },
        { arguments: 'sealing', meaning: 'creates a new key for shares on their way to the server' },
        {
          arguments: 'pepper',
          meaning:
            'creates a new pepper for codes, sessions and recovery passwords. Values of the old pepper stay valid',
        },
        {
          arguments: 'prepare [recovery]',
          meaning: 'adds a new master key to the file, unused. Then put the file on each machine',
        },
        { arguments: 'cancel [recovery]', meaning: 'cancels a prepared key that is not in use yet' },
        {
          arguments: 'commit [recovery]',
          meaning: 'uses the prepared key. Run it again after ten minutes to remove the previous key',
        },
      ],
      details: `With 'recovery', the last three change the master key of recovery shares. The first rotation moves recovery shares to a
key file of their own.`,
    },
    drop: {
      summary: 'removes peppers that no session and no recovery password needs any more',
      arguments: 'peppers',
    },
  },
  details: `Commands use the database of DATABASE_URL and the key files of MASTER_KEY_FILE and, if set, RECOVERY_MASTER_KEY_FILE.`,
} as const satisfies GroupSpec
