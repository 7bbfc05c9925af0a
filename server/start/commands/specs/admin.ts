/** The specs of `latchkey admin` and `latchkey audit`. */
import type { GroupSpec } from '../spec.ts'

const json = { type: 'boolean', meaning: 'prints one object of JSON a line' } as const

export const adminSpec = {
  summary: 'manages the keys of the Admin API',
  commands: {
    keys: {
      summary: 'creates, lists and revokes admin keys',
      forms: [
        {
          arguments:
            'create --name <text> --scope <scope>… [--app <id>] [--operator <name>] [--expires <days>d] [--address <network>…]',
          meaning: 'creates a key and prints it once',
        },
        { arguments: 'list [--json]', meaning: 'lists the keys without their secrets' },
        { arguments: 'revoke <key id>', meaning: 'refuses the key from now on' },
      ],
      options: {
        name: { type: 'string', value: '<text>', meaning: 'names the program that uses the key' },
        scope: {
          type: 'string',
          multiple: true,
          value: '<scope>',
          meaning: 'allows the calls of this scope',
        },
        app: { type: 'string', value: '<id>', meaning: 'allows calls for this app only' },
        operator: {
          type: 'string',
          value: '<name>',
          meaning:
            'the person who uses the key, by the same name in all their keys. The approvals scopes need it: an operator cannot approve their own proposal',
        },
        expires: {
          type: 'string',
          value: '<days>d',
          meaning: 'sets how long the key is valid: 90d unless set, at most 365d',
        },
        address: {
          type: 'string',
          multiple: true,
          value: '<network>',
          meaning: 'accepts clients of this address or network only, such as 10.0.0.0/8',
        },
        json,
      },
      details: 'The scopes and their calls are listed in docs/reference/admin-api.md.',
    },
  },
} as const satisfies GroupSpec

export const operatorSpec = {
  summary: 'manages the operators of the dashboard',
  commands: {
    invite: {
      summary: 'prints a link with which an operator registers a passkey, once',
      arguments: '<e-mail>',
      options: {
        role: {
          type: 'string',
          value: '<role>',
          meaning: 'allows the calls of this role. The first operator is an owner unless set',
        },
        app: { type: 'string', value: '<id>', meaning: 'allows calls for this app only' },
        expires: {
          type: 'string',
          value: '<hours>h',
          meaning: 'sets how long the link is valid: 24h unless set, at most 168h',
        },
        json,
      },
      details:
        'The roles and their scopes are listed in docs/dashboard.md. Set ADMIN_ORIGIN as for the server.',
    },
    list: { summary: 'lists the operators', options: { json } },
    revoke: {
      summary: 'ends the sessions of an operator, and refuses their sign-ins from now on',
      arguments: '<operator id>',
      options: {},
    },
    admit: {
      summary: 'lets a revoked operator of the OpenID provider sign in again',
      arguments: '<operator id>',
      options: {},
    },
    oidc: {
      summary: 'sets the OpenID provider by which operators sign in',
      forms: [
        { arguments: '[show]', meaning: 'prints the provider, its groups, and the URLs to register there' },
        {
          arguments:
            'set --issuer <url> --client-id <id> --client-secret-file <file> --name <name> --group <group>=<role>…',
          meaning: 'sets the provider after reading its discovery document, and ends its sessions',
        },
        { arguments: 'remove', meaning: 'removes the provider, and ends its sessions' },
      ],
      options: {
        issuer: { type: 'string', value: '<url>', meaning: 'its issuer, exactly as in its tokens' },
        'client-id': { type: 'string', value: '<id>', meaning: 'the id of your client there' },
        'client-secret-file': {
          type: 'string',
          value: '<file>',
          meaning: 'a file with the secret of that client',
        },
        name: { type: 'string', value: '<name>', meaning: 'the name on the button of the dashboard' },
        group: {
          type: 'string',
          multiple: true,
          value: '<group>=<role>',
          meaning:
            'gives members of the group a role, for one app with <role>:<app id>. The first listed group of an operator decides',
        },
        'groups-claim': {
          type: 'string',
          value: '<claim>',
          meaning: 'the claim of the ID token with the groups: groups unless set',
        },
        scope: {
          type: 'string',
          multiple: true,
          value: '<scope>',
          meaning: 'a scope to request besides openid: email and profile unless set',
        },
      },
    },
  },
} as const satisfies GroupSpec

export const auditSpec = {
  summary: 'verifies the audit log of the Admin API',
  commands: {
    verify: {
      summary: 'checks that no entry of the audit log was changed or removed',
      options: {
        head: {
          type: 'string',
          multiple: true,
          value: '<app>:<sequence>:<hash>',
          meaning: 'checks against a head that you stored earlier. The app is empty for calls without an app',
        },
        json,
      },
    },
  },
  details: `The log has a chain of entries for each app. The command prints the head of each chain. Store the heads elsewhere, and
pass them the next time: an attacker who can write to the database can replace a whole chain.`,
} as const satisfies GroupSpec
