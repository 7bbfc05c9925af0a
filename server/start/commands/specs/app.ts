/** The spec of `latchkey app`, without the commands that capabilities add. */
import type { GroupSpec } from '../spec.ts'

const json = { type: 'boolean', meaning: 'prints JSON' } as const
const text = { type: 'string' } as const

export const appSpec = {
  summary: 'creates apps, and shows and changes their settings',
  commands: {
    create: {
      summary: 'creates an app and prints its id',
      options: {
        name: { ...text, value: '<name>', isRequired: true, meaning: 'the name of the app in the dialog' },
        id: {
          ...text,
          value: '<id>',
          meaning: '25 lower-case letters and digits. By default an id is chosen at random',
        },
        origin: {
          ...text,
          value: '<origin>',
          multiple: true,
          meaning: 'an origin whose pages may embed the app',
        },
        env: { ...text, value: '<environment>', meaning: 'development (the default) or production' },
        'if-missing': { type: 'boolean', meaning: 'does nothing if an app with this id exists' },
        json,
      },
    },
    list: { summary: 'lists all apps', options: { json } },
    show: { summary: 'prints the settings of an app', arguments: '<id>', options: { json } },
    set: {
      summary: 'changes settings of an app',
      arguments: '<id> <field>=<value>…',
      details: `Settings are named as in the API. Nested settings have a dot: embedded_wallet_config.create_on_login=off
Also: name, environment, session_mode, max_users, deleted_users_kept_days, analytics. A setting that this server does not support is
refused: not_supported. All settings: docs/reference/app-settings.md`,
    },
    enable: {
      summary: 'turns on login methods by name, or lists them',
      arguments: '<id> [all | <method>…]',
      options: { json },
      details: `all selects the fully configured methods. Without a method it lists all of them, and their missing configuration.`,
    },
    snippet: {
      summary: 'prints the script tag for your page, with the address of this server',
      arguments: '<id>',
      options: {
        module: { type: 'boolean', meaning: 'an ES module import instead of the tag' },
        queue: { type: 'boolean', meaning: 'also the stub that queues calls until the script has run' },
        pin: {
          type: 'boolean',
          meaning: 'the present loader, by an immutable address and an integrity hash',
        },
      },
    },
    origins: {
      summary: 'lists or changes the origins that may embed an app',
      arguments: '<id> [add|remove <origin>…]',
      options: { json },
    },
    proposals: {
      summary: 'lists and decides changes that need two operators',
      forms: [
        { arguments: '<id> [list]', meaning: 'lists the open proposals' },
        { arguments: '<id> show <proposal>', meaning: 'prints a proposal, and the values that it replaces' },
        { arguments: '<id> approve <proposal>', meaning: 'approves it. It can be applied 24 hours later' },
        { arguments: '<id> cancel <proposal>', meaning: 'cancels it' },
        { arguments: '<id> apply <proposal>', meaning: 'applies it after its waiting time' },
      ],
      options: { json },
    },
    allowlist: {
      summary: 'lists or changes the users who may log in while allowlist_enabled is true',
      arguments: '<id> [add|remove <type> <identifier>]',
      options: { json },
    },
    events: {
      summary: 'prints how often each event of the dialog and the server happened, by login method',
      arguments: '<id>',
      options: {
        since: {
          ...text,
          value: '<time>',
          meaning: 'an age such as 12h or 30d, or a time such as 2026-05-01. The last 7 days by default',
        },
        until: { ...text, value: '<time>', meaning: 'the end of the period, written like --since' },
        json: { type: 'boolean', meaning: 'prints one object of JSON a line for each hour' },
      },
    },
    audit: {
      summary: 'prints the audit log, the newest entry first',
      options: {
        app: { ...text, value: '<id>', meaning: 'entries of one app' },
        user: { ...text, value: '<user>', meaning: 'entries of one user, named as for latchkey users' },
        event: {
          ...text,
          value: '<event>',
          meaning: 'an event such as wallet.signed, or an area such as wallet',
        },
        since: {
          ...text,
          value: '<time>',
          meaning: 'an age such as 30m, 12h or 7d, or a time such as 2026-05-01 or 2026-05-01T09:30Z',
        },
        until: { ...text, value: '<time>', meaning: 'the end of the period, written like --since' },
        before: {
          ...text,
          value: '<place>',
          meaning: 'older entries than the place that an earlier page ended with',
        },
        limit: { ...text, value: '<number>', meaning: 'the largest number of entries, 50 by default' },
        json: { type: 'boolean', meaning: 'prints one object of JSON a line' },
      },
    },
  },
  details: `Commands change the database that DATABASE_URL names.`,
} as const satisfies GroupSpec
