/** Tokens of servers of release 0.1.0. Delete with `untyped-tokens.ts`. */
import { expect, test } from 'vitest'
import { appId, createIssuer, type TokenChanges } from '../testing/issuer.ts'

const header = { typ: 'JWT' }

test('a host token of release 0.1.0 is accepted', async () => {
  const { latchkey, token } = await createIssuer()
  const untyped = await token({ client_id: undefined }, { header })
  expect(await latchkey.verifyAccessToken(untyped)).toMatchObject({ userId: 'user-1', appId })
})

test.each([
  ['of the dialog', { scope: 'dialog' }, 'wrong_scope'],
  ['of the wallet', { scope: 'wallet' }, 'wrong_scope'],
  ['without a scope', { scope: undefined }, 'malformed_token'],
  ['for another app', { aud: 'lkapp00000000000000000002' }, 'wrong_audience'],
  ['of another issuer', { iss: 'https://dialog.example.evil' }, 'wrong_issuer'],
  ['that has expired', { exp: 1 }, 'token_expired'],
] satisfies [string, TokenChanges, string][])(
  'a token of release 0.1.0 %s is refused',
  async (_what, changes, code) => {
    const { latchkey, token } = await createIssuer()
    const untyped = await token({ client_id: undefined, ...changes }, { header })
    await expect(latchkey.verifyAccessToken(untyped)).rejects.toMatchObject({ code, status: 401 })
  },
)
