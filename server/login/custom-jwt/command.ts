/** How an operator names the issuer of an app. */
import { parseArgs } from 'node:util'
import type { AppCommand } from '../../kernel/capability.ts'
import { dropIssuer, issuerOf, setIssuer } from './custom-jwt.ts'

const usage =
  'custom-jwt <id> [off | --jwks <url> --issuer <iss> --audience <aud> [--claim sub]]\n                                      shows, sets or turns off the issuer whose tokens log users in'

export const customJwtCommand: AppCommand = {
  name: 'custom-jwt',
  usage,
  async run(appId, args, db) {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        jwks: { type: 'string' },
        issuer: { type: 'string' },
        audience: { type: 'string' },
        claim: { type: 'string', default: 'sub' },
      },
    })
    if (positionals[0] === 'off') {
      await dropIssuer(db, appId)
      return { type: 'done', lines: [`App ${appId} no longer accepts tokens of an issuer.`] }
    }
    if (args.length === 0) {
      const found = Object.entries((await issuerOf(db, appId)) ?? {})
      return { type: 'done', lines: found.map(([name, value]) => `${name} ${value}`) }
    }
    const { jwks, issuer, audience, claim } = values
    if (jwks === undefined || issuer === undefined || audience === undefined) {
      return { type: 'refused', lines: [usage] }
    }
    const wrong = await setIssuer(db, appId, { jwks_url: jwks, issuer, audience, claim })
    if (wrong.length > 0) return { type: 'refused', lines: wrong }
    return { type: 'done', lines: [`App ${appId} now accepts tokens of ${issuer}.`] }
  },
}
