/** The specs of the commands that start and prepare a server. */
import type { CommandSpec } from '../spec.ts'

export const serveSpec = {
  summary: 'starts the server',
  options: {},
  details: `The environment configures it. SIGTERM drains the server first; SIGINT ends it at once.`,
} as const satisfies CommandSpec

export const migrateSpec = {
  summary: 'brings the tables of DATABASE_URL up to date with this release',
  options: {
    check: {
      type: 'boolean',
      meaning: 'changes nothing, lists the missing migrations, and exits with 1 if there are any',
    },
    json: { type: 'boolean', meaning: 'prints the names of the migrations as JSON' },
  },
  details: `Servers of this release and of the last one may run meanwhile. You can run it again at any time: it continues an
interrupted run.`,
} as const satisfies CommandSpec

export const completionSpec = {
  summary: 'prints a script that completes commands and options in your shell',
  arguments: 'bash|zsh|fish',
  options: {},
  details: `Load it in your shell:
  bash   source <(latchkey completion bash)
  zsh    source <(latchkey completion zsh)
  fish   latchkey completion fish | source`,
} as const satisfies CommandSpec
