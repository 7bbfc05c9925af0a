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

export const initSpec = {
  summary: 'asks for the configuration of a new server, and writes it and the master key file',
  options: {
    'dialog-origin': {
      type: 'string',
      value: '<origin>',
      meaning: 'the origin of the dialog, such as https://dialog.example',
    },
    'wallet-origin': {
      type: 'string',
      value: '<origin>',
      meaning: 'the origin of the wallet, on another site if possible',
    },
    'smtp-url': {
      type: 'string',
      value: '<url>',
      meaning: 'your mail server, such as smtps://user:password@smtp.example',
    },
    'mail-from': {
      type: 'string',
      value: '<sender>',
      meaning: "the sender of your mails, such as 'Fieldnotes <login@example.com>'",
    },
    'data-dir': { type: 'string', value: '<path>', meaning: 'the folder of the database and the master key' },
    'database-url': {
      type: 'string',
      value: '<url>',
      meaning: 'uses PostgreSQL (postgres://…) instead of SQLite in the folder',
    },
    out: { type: 'string', value: '<path>', meaning: 'the file of the variables, .env by default' },
    yes: {
      type: 'boolean',
      meaning: 'asks nothing, and uses the default of each answer that is not an option',
    },
  },
  details: `It asks at most five questions, and overwrites no file. Only the owner can read the files it writes.`,
} as const satisfies CommandSpec

export const doctorSpec = {
  summary: 'checks the configuration, the network, the database, the clock and the keys of a server',
  options: {
    'key-backup': {
      type: 'string',
      multiple: true,
      value: '<path>',
      meaning: 'compares this copy of a key file with the key file in use',
    },
    json: { type: 'boolean', meaning: 'prints the findings as JSON' },
  },
  details: `Each line is ok, a warning or failed, with the next step. Run it before the first start and after each change. It
changes nothing, and exits with 1 if a check failed.`,
} as const satisfies CommandSpec

export const verifySpec = {
  summary: 'compares the pages and scripts of a running server with those of this release',
  arguments: '<dialog origin>',
  options: {
    app: { type: 'string', value: '<id>', isRequired: true, meaning: 'an app of that server' },
    json: { type: 'boolean', meaning: 'prints the result as JSON' },
  },
  details: `Run it on a machine of your own, from a release whose signature you checked. It needs no configuration, and exits
with 1 if a page, script or policy differs. It shows what the server sends to this machine now. A server could send
other pages to other visitors.`,
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
