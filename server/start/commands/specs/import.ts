/** The spec of `latchkey import`. */
import { importSources } from '@latchkey/protocol/admin'
import type { CommandSpec } from '../spec.ts'

export const importSpec = {
  summary: 'imports users from a file, who prove their accounts with their first login',
  arguments: '<file>',
  options: {
    from: {
      type: 'string',
      value: '<source>',
      isRequired: true,
      meaning: `the system of the file: ${importSources.join(', ')}`,
    },
    app: { type: 'string', value: '<id>', isRequired: true, meaning: 'the app of the users' },
    'dry-run': { type: 'boolean', meaning: 'changes no user, and reports what an import would do' },
    report: { type: 'string', value: '<path>', meaning: 'writes the result of each record to this file' },
    json: { type: 'boolean', meaning: 'prints JSON' },
  },
  details: `<file> is NDJSON, CSV (.csv), or a JSON document (.json) with an array of users. It may be compressed by gzip (.gz).
The command may be stopped at any time: run it again with the same file, which skips users who exist already.
docs/moving-users.md describes the fields of each source.`,
} as const satisfies CommandSpec
