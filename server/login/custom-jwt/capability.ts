import { parseArgs } from 'node:util'
import { customJwtRoutes } from '@latchkey/protocol/api'
import { appById, parseStoredConfig } from '../../identity/apps/apps.ts'
import { type AppCommand, type Capability, port } from '../../kernel/capability.ts'
import type { CommandSpec } from '../../kernel/command-spec.ts'
import { type Endpoint, endpoint, replayedEndpoint } from '../../kernel/http/endpoint.ts'
import type { Reader } from '../../kernel/ports.ts'
import { countedLogin } from '../counted.ts'
import { type LoginOutcome, loginAnswer, loginWith } from '../proven.ts'
import {
  confirmToken,
  dropIssuer,
  findIssuer,
  requireIssuer,
  setIssuer,
  tokenRefusal,
  toProvenLogin,
  verifyToken,
} from './custom-jwt.ts'
import { createKeySets, keySets, type TokenAnswer } from './issuer.ts'
import { customJwtTables } from './store.ts'

const spec = {
  summary: 'shows, sets or turns off the issuer whose tokens log users in',
  forms: [
    { arguments: '<id>', meaning: 'shows the issuer' },
    {
      arguments:
        '<id> --jwks <url> --issuer <iss> --audience <aud> [--claim sub] [--same-users] [--i-can-open-every-wallet]',
      meaning: 'sets it',
    },
    { arguments: '<id> off', meaning: 'turns it off' },
  ],
  options: {
    jwks: { type: 'string', value: '<url>', meaning: 'the address of its public keys' },
    issuer: { type: 'string', value: '<iss>', meaning: 'the iss claim of its tokens' },
    audience: { type: 'string', value: '<aud>', meaning: 'the aud claim of its tokens' },
    claim: { type: 'string', value: '<name>', meaning: 'the claim with the id of the user, sub by default' },
    'same-users': {
      type: 'boolean',
      meaning: 'the subjects are those of the previous issuer, so its users keep their accounts',
    },
    'i-can-open-every-wallet': {
      type: 'boolean',
      meaning:
        'the issuer can log in as any user, and so open each wallet without a recovery method of its user',
    },
  },
} as const satisfies CommandSpec

/** The CLI command that configures an app's token issuer. */
export const customJwtCommand: AppCommand = {
  name: 'custom-jwt',
  spec,
  async run(appId, args, db) {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: spec.options,
    })
    if (positionals[0] === 'off') {
      await dropIssuer(db, appId)
      return { type: 'done', lines: [`App ${appId} no longer accepts tokens of an issuer.`] }
    }
    if (args.length === 0) {
      const entries = Object.entries((await findIssuer(db, appId)) ?? {})
      return { type: 'done', lines: entries.map(([name, value]) => `${name} ${value}`) }
    }
    const { jwks, issuer, audience, claim = 'sub' } = values
    if (jwks === undefined || issuer === undefined || audience === undefined) {
      return { type: 'misused', lines: [] }
    }
    if (!values['i-can-open-every-wallet'] && !(await requiresUserRecovery(db, appId))) {
      return {
        type: 'refused',
        lines: [
          'The issuer can log in as any user, and so open every wallet with automatic recovery.',
          'Set embedded_wallet_config.require_user_owned_recovery_on_create=true, or add --i-can-open-every-wallet.',
        ],
      }
    }
    const wrong = await setIssuer(
      db,
      appId,
      { jwks_url: jwks, issuer, audience, claim },
      values['same-users'],
    )
    if (wrong.length > 0) return { type: 'refused', lines: wrong }
    return { type: 'done', lines: [`App ${appId} now accepts tokens of ${issuer}.`] }
  },
}

async function requiresUserRecovery(reader: Reader, appId: string): Promise<boolean> {
  const app = await appById(reader, appId)
  return app ? parseStoredConfig(app).embeddedWalletConfig.requireUserOwnedRecoveryOnCreate === true : false
}

type Refused = {
  type: 'not proven'
  answer: Extract<TokenAnswer, { type: 'refused' }>
}

const customJwtEndpoints: readonly Endpoint[] = [
  countedLogin(
    'custom_jwt',
    replayedEndpoint(customJwtRoutes.loginWithCustomJwt, {
      reserve: (trx, { app, proof }) => {
        proof()
        return requireIssuer(trx, app)
      },
      ask: {
        // Only reads keys, so the call can be repeated.
        repeatable: true,
        run: (issuer, { body }, context) => verifyToken(context, issuer, body.token),
      },
      decide: async (trx, { app, browser }, context, { answer }): Promise<LoginOutcome | Refused> =>
        answer.type === 'proven'
          ? loginWith(trx, context, app, toProvenLogin(answer.subject), browser())
          : { type: 'not proven', answer },
      render: (outcome, call, context) => {
        if (outcome.type === 'not proven') throw tokenRefusal(outcome.answer)
        return loginAnswer(outcome, call, context, 'custom_auth')
      },
    }),
  ),
  endpoint(customJwtRoutes.confirmCustomJwt, async ({ app, caller, body }, context) => ({
    isSameUser: await confirmToken(context, app, caller.userId, body.token),
  })),
]

export const customJwt: Capability = {
  name: 'login/custom-jwt',
  endpoints: customJwtEndpoints,
  ports: [port(keySets, () => ({ value: createKeySets() }))],
  appCommands: [customJwtCommand],
  migrations: { '0001-issuers': customJwtTables },
}
