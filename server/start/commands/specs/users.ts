/** The spec of `latchkey users`. */
import type { GroupSpec } from '../spec.ts'

const app = { type: 'string', value: '<id>', meaning: 'looks in one app only' } as const
const json = { type: 'boolean', meaning: 'prints JSON' } as const
const yes = { type: 'boolean', meaning: 'does not ask for confirmation' } as const

export const usersSpec = {
  summary: 'finds users, and ends, blocks and resets what belongs to them',
  commands: {
    find: {
      summary: 'lists the users with this e-mail address, phone number, wallet, account or id',
      arguments: '<user>',
      options: { app, json: { type: 'boolean', meaning: 'prints one object of JSON a line' } },
    },
    create: {
      summary:
        'creates a user before their first login, who takes over the user by proving one of the accounts',
      options: {
        app: { type: 'string', value: '<id>', isRequired: true, meaning: 'the app of the user' },
        account: {
          type: 'string',
          multiple: true,
          value: '<type>:<identifier>',
          isRequired: true,
          meaning: 'an account to prove, such as email:ada@example.com or phone:+14155550100',
        },
        'external-id': { type: 'string', value: '<id>', meaning: 'the id of the user in your system' },
        json,
      },
    },
    export: {
      summary:
        'prints all users of an app without secrets, one object of JSON a line. `latchkey import` reads them',
      options: {
        app: { type: 'string', value: '<id>', isRequired: true, meaning: 'the app of the users' },
        after: { type: 'string', value: '<cursor>', meaning: 'continues after the line with this cursor' },
      },
    },
    show: {
      summary: 'prints the accounts, wallets and verification methods of a user',
      arguments: '<user>',
      options: { app, json },
    },
    sessions: {
      summary: 'lists the sessions of a user that are not over',
      arguments: '<user>',
      options: { app, json: { type: 'boolean', meaning: 'prints one object of JSON a line' } },
    },
    revoke: {
      summary: 'ends all sessions of a user, or one with its forks',
      arguments: '<user>',
      options: {
        app,
        session: { type: 'string', value: '<id>', meaning: 'ends this session and its forks only' },
        json,
      },
    },
    block: {
      summary: 'ends all sessions of a user, and refuses their logins from now on',
      arguments: '<user>',
      options: {
        app,
        reason: { type: 'string', value: '<text>', meaning: 'a note for operators. Users do not see it' },
        yes,
        json,
      },
    },
    unblock: {
      summary: 'lets a blocked user log in again',
      arguments: '<user>',
      options: { app, json },
    },
    delete: {
      summary: 'deletes a user and their wallets for good, without sending a mail',
      arguments: '<user>',
      options: { app, yes, json },
    },
    'mfa-reset': {
      summary: 'removes every verification method of a user who lost them, and ends their sessions',
      arguments: '<user>',
      options: { app, yes, json },
    },
  },
  details: `<user> is an e-mail address, a phone number with its country code, a wallet address, <account type>:<identifier>, the id
of a user, or the id that your own issuer has for them. If several users match, the command lists them and changes
nothing. Each use is recorded in the audit log.`,
} as const satisfies GroupSpec
