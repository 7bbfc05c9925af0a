/** The spec of `latchkey users`. */
import type { GroupSpec } from '../spec.ts'

const app = { type: 'string', value: '<id>', meaning: 'looks in one app only' } as const
const json = { type: 'boolean', meaning: 'prints JSON' } as const

export const usersSpec = {
  summary: 'finds users and ends their sessions',
  commands: {
    find: {
      summary: 'lists the users with this e-mail address, phone number, wallet, account or id',
      arguments: '<user>',
      options: { app, json: { type: 'boolean', meaning: 'prints one object of JSON a line' } },
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
      },
    },
  },
  details: `<user> is an e-mail address, a phone number with its country code, a wallet address, <account type>:<identifier>, or the
id of a user. Each use is recorded in the audit log.`,
} as const satisfies GroupSpec
