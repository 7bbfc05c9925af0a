/** Named peppers: their use for new values, and their removal. */
import { beforeEach, describe, expect, test } from 'vitest'
import { createGrantTokens } from '../../identity/sessions/grant.ts'
import {
  createSessionCode,
  deriveSessionCode,
  redeemSessionCode,
} from '../../identity/sessions/handover/forks.ts'
import { refreshSession, startSession } from '../../identity/sessions/sessions.ts'
import { deriveAuthorizationCode, deriveLegSecrets, findLeg, isCode } from '../../login/oauth/secrets.ts'
import { seal, unseal } from '../../login/window/secrets.ts'
import { capabilities } from '../../start/capabilities.ts'
import { type TestContext, testContext } from '../../testing/context.ts'
import { collectKeyColumns } from '../capability.ts'
import { forEachEngine } from '../db/test-engines.ts'
import { nowSeconds } from '../ports.ts'
import { openKeyring } from './keyring.ts'
import { addPepperName, splitPepperName, UnknownPepper, withPepperRetry } from './pepper-names.ts'
import { dropPeppers, rotatePepper } from './rotation.ts'
import { updateRunningServer } from './running-servers.ts'
import { newPepper } from './testing/new-pepper.ts'

const columns = collectKeyColumns(capabilities)

const appId = 'a'.repeat(25)
const owner = { appId, userId: 'usr_1' }
const browser = 'o'.repeat(43)

test('a value starts with its pepper and a dot, and without a dot has the first pepper', () => {
  expect(addPepperName('second', 'text')).toBe('second.text')
  expect(splitPepperName('second.text')).toEqual({ pepper: 'second', text: 'text' })
  expect(addPepperName('pepper', 'text')).toBe('text')
  expect(splitPepperName('text')).toEqual({ pepper: 'pepper', text: 'text' })
})

forEachEngine((database) => {
  let context: TestContext
  beforeEach(async () => {
    context = await testContext(database())
  })
  const rotate = () => rotatePepper({ ...context, database: database() })
  const drop = () => dropPeppers({ ...context, database: database(), columns })

  describe('pepper rotation', () => {
    test('a new pepper is known immediately and used after twenty minutes, and the old one stays known', async () => {
      const { keyring, clock } = context
      const first = keyring.pepper('a', 'pepper')
      const second = await rotate()
      await keyring.refresh()
      expect(keyring.pepper('a', second)).not.toEqual(first)
      clock.advanceSeconds(1_199)
      expect(keyring.pepperInUse()).toBe('pepper')
      clock.advanceSeconds(1)
      expect(keyring.pepperInUse()).toBe(second)
      expect(keyring.pepper('a', 'pepper')).toEqual(first)
      clock.advanceSeconds(365 * 86_400)
      await keyring.refresh()
      expect(keyring.pepper('a', 'pepper')).toEqual(first)
    })

    test('rejects a rotation until the previous pepper is in use', async () => {
      await rotate()
      context.clock.advanceSeconds(1_199)
      await expect(rotate()).rejects.toThrow('rotation_under_way')
      context.clock.advanceSeconds(1)
      await rotate()
    })

    test('only one of two parallel rotations succeeds', async () => {
      const made = await Promise.allSettled([rotate(), rotate()])
      expect(made.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
      expect(
        await context.db.selectFrom('server_keys').where('purpose', '=', 'pepper').select('id').execute(),
      ).toHaveLength(2)
    })

    test('rejects a rotation while a server runs that does not support named peppers', async () => {
      const say = (name: string, keys: readonly string[]) =>
        updateRunningServer(context.db, { id: name, name, keys }, nowSeconds(context.clock))
      await say('of this release', ['a master key', 'pepper'])
      await say('of the last', ['a master key'])
      await expect(rotate()).rejects.toThrow(
        'servers_without_pepper: these servers run an earlier release or have not read the current pepper yet: of the last. ',
      )
      await say('of the last', ['a master key', 'pepper'])
      await rotate()
    })

    test('loads a pepper of another process when it is met, and repeats the work', async () => {
      const late = await openKeyring(context)
      const second = await newPepper(context, database())
      let tries = 0
      const work = async () => {
        tries += 1
        return late.pepper('a', second)
      }
      expect(await withPepperRetry(late, work)).toEqual(context.keyring.pepper('a', second))
      expect(tries).toBe(2)
      // An unknown pepper is looked up once, and then rejected.
      const never = withPepperRetry(late, async () => late.pepper('a', 'never-made'))
      await expect(never).rejects.toBeInstanceOf(UnknownPepper)
    })
  })

  describe('values of previous peppers', () => {
    const start = async () => {
      const grant = await context.transaction((trx) =>
        startSession(trx, context, owner, { key: browser, device: null }),
      )
      return createGrantTokens(context.db, context, grant, browser)
    }
    const refresh = (refreshToken: string) =>
      refreshSession(context, { appId, refreshToken, provenKey: browser }, async (_, { tokens }) => tokens)
    const tokenKeys = async () =>
      (await context.db.selectFrom('sessions').select('token_key').orderBy('created_at').execute()).map(
        ({ token_key }) => token_key,
      )

    test('a session continues, and a new one uses the new pepper', async () => {
      const { tokens } = await start()
      const second = await newPepper(context, database())
      expect((await refresh(tokens.refreshToken)).refreshToken).toBeTruthy()
      const later = await start()
      expect(await tokenKeys()).toEqual([
        expect.stringMatching(/^1\.[\w-]{80}$/),
        expect.stringMatching(new RegExp(`^1\\.${second}\\.[\\w-]{80}$`)),
      ])
      expect((await refresh(later.tokens.refreshToken)).refreshToken).toBeTruthy()
    })

    test('deletes a pepper ten minutes after its last use, unless a session names it', async () => {
      await start()
      const second = await newPepper(context, database())
      context.clock.advanceSeconds(600)
      expect(await drop()).toEqual({ dropped: [], retained: ['pepper'] })
      await context.db.deleteFrom('sessions').execute()
      await start()
      expect(await drop()).toEqual({ dropped: ['pepper'], retained: [] })
      // The same for a named pepper, and not before ten minutes.
      await newPepper(context, database())
      context.clock.advanceSeconds(600)
      expect(await drop()).toEqual({ dropped: [], retained: [second] })
      await context.db.deleteFrom('sessions').execute()
      await newPepper(context, database())
      context.clock.advanceSeconds(599)
      expect(await drop()).toMatchObject({ dropped: [second], retained: [expect.any(String)] })
      context.clock.advanceSeconds(1)
      expect((await drop()).dropped).toHaveLength(1)
      // A new keyring loads only the last pepper and does not create a first one again.
      const { keyring } = { keyring: await openKeyring(context) }
      expect(keyring.pepperIds()).toEqual([context.keyring.pepperInUse()])
    })

    test.each(['wallets', 'wallet_reshares'] as const)(
      'keeps a pepper while a recovery password in %s names it',
      async (table) => {
        const second = await newPepper(context, database())
        await newPepper(context, database())
        context.clock.advanceSeconds(600)
        await putRecovery(table, 'passkey', `${second}.key`)
        await putRecovery(table, 'user-passcode', `${second}.hash`)
        expect(await drop()).toEqual({ dropped: ['pepper'], retained: [second] })
        await context.db.deleteFrom(table).where('recovery_method', '=', 'user-passcode').execute()
        expect(await drop()).toEqual({ dropped: [second], retained: [] })
      },
    )

    test('keeps the first pepper while a recovery password has no pepper name', async () => {
      await newPepper(context, database())
      context.clock.advanceSeconds(600)
      await putRecovery('wallets', 'user-passcode', 'hash')
      expect(await drop()).toEqual({ dropped: [], retained: ['pepper'] })
      await context.db.deleteFrom('wallets').execute()
      expect(await drop()).toEqual({ dropped: ['pepper'], retained: [] })
    })

    let rows = 0
    async function putRecovery(
      table: 'wallets' | 'wallet_reshares',
      method: 'passkey' | 'user-passcode',
      access: string,
    ) {
      rows += 1
      const row = {
        id: `row_${rows}`,
        generation: 1,
        recovery_method: method,
        auth_share: null,
        recovery_share: null,
        recovery_access: access,
      }
      if (table === 'wallet_reshares') {
        await context.db
          .insertInto(table)
          .values({
            ...row,
            wallet_id: `wallet_${rows}`,
            base_generation: 0,
            operation_id: 'op_1',
            expires_at: 9_999_999_999,
          })
          .execute()
        return
      }
      await context.db
        .insertInto(table)
        .values({
          ...row,
          app_id: appId,
          user_id: `usr_${rows}`,
          kind: 'entropy',
          chain_type: 'ethereum',
          status: 'committed',
          address: null,
          last_generation: 1,
          created_at: 1,
          committed_at: 1,
        })
        .execute()
    }

    test('a session code stays valid across a pepper rotation', async () => {
      const { tokens, session } = await start()
      await rotate()
      await context.keyring.refresh()
      context.clock.advanceSeconds(1_180)
      const caller = { ...owner, sessionId: session.id, isFork: false, scope: 'host' } as const
      const seed = await context.transaction((trx) => createSessionCode(trx, context, caller))
      const code = deriveSessionCode(context, seed)
      context.clock.advanceSeconds(20)
      expect(context.keyring.pepperInUse()).not.toBe('pepper')
      expect(deriveSessionCode(context, seed)).toBe(code)
      await context.transaction((trx) => redeemSessionCode(trx, context, { appId, code, provenKey: browser }))
      expect(tokens.token).toBeTruthy()
      const next = await context.transaction((trx) => createSessionCode(trx, context, caller))
      expect(next.seed).toMatch(new RegExp(`^${context.keyring.pepperInUse()}\\.[\\w-]{43}$`))
    })

    test('a pending window login continues with its original pepper', async () => {
      const sealed = seal(context, 'a-handle', 'a thing', 'a text')
      const begun = { handle: 'a-handle', pepper: context.keyring.pepperInUse() }
      const secrets = deriveLegSecrets(context, begun)
      const second = await newPepper(context, database())
      expect(unseal(context, 'a-handle', 'a thing', sealed)).toBe('a text')
      expect(await findLeg(context, secrets.state)).toEqual(begun)
      expect(deriveLegSecrets(context, begun)).toEqual(secrets)
      expect(isCode(context, begun, deriveAuthorizationCode(context, begun))).toBe(true)
      const next = { handle: 'a-handle', pepper: second }
      const later = deriveLegSecrets(context, next)
      expect(later.state).toMatch(new RegExp(`^a-handle\\.${second}\\.[\\w-]{43}$`))
      expect(await findLeg(context, later.state)).toEqual(next)
      for (const [name, secret] of Object.entries(secrets)) expect(Object(later)[name]).not.toBe(secret)
      expect(isCode(context, next, deriveAuthorizationCode(context, begun))).toBe(false)
    })

    test('rejects a state that names another pepper', async () => {
      const second = await newPepper(context, database())
      const { state } = deriveLegSecrets(context, { handle: 'a-handle', pepper: second })
      expect(await findLeg(context, state.replace(second, 'never-made'))).toBeUndefined()
      expect(await findLeg(context, state.replace(`${second}.`, ''))).toBeUndefined()
      expect(await findLeg(context, `${state}.more`)).toBeUndefined()
      expect(await findLeg(context, state)).toBeDefined()
    })
  })
})
