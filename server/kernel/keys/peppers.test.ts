/** Peppers by their names: which one makes what is new, and how long the others stay. */
import { beforeEach, describe, expect, test } from 'vitest'
import { tokensOfGrant } from '../../identity/sessions/grant.ts'
import {
  createSessionCode,
  redeemSessionCode,
  sessionCodeOf,
} from '../../identity/sessions/handover/forks.ts'
import { refreshSession, startSession } from '../../identity/sessions/sessions.ts'
import { authorizationCodeOf, isCodeOf, legOfState, legSecretsOf } from '../../login/oauth/secrets.ts'
import { seal, unseal } from '../../login/window/secrets.ts'
import { capabilities } from '../../start/capabilities.ts'
import { type TestContext, testContext } from '../../testing/context.ts'
import { keyColumnsOf } from '../capability.ts'
import { forEachEngine } from '../db/test-engines.ts'
import { nowSeconds } from '../ports.ts'
import { openKeyring } from './keyring.ts'
import { knowingPeppers, namesOf, namingPepper, UnknownPepper } from './pepper-names.ts'
import { dropPeppers, rotatePepper } from './rotation.ts'
import { sayHeldKeys } from './running-servers.ts'
import { newPepper } from './testing/new-pepper.ts'

const columns = keyColumnsOf(capabilities)

const appId = 'a'.repeat(25)
const owner = { appId, userId: 'usr_1' }
const browser = 'o'.repeat(43)

test('a text names its pepper before a dot, and one without a dot is of the first', () => {
  expect(namingPepper('second', 'text')).toBe('second.text')
  expect(namesOf('second.text')).toEqual({ pepper: 'second', text: 'text' })
  expect(namingPepper('pepper', 'text')).toBe('text')
  expect(namesOf('text')).toEqual({ pepper: 'pepper', text: 'text' })
})

forEachEngine((database) => {
  let context: TestContext
  beforeEach(async () => {
    context = await testContext(database())
  })
  const rotate = () => rotatePepper({ ...context, database: database() })
  const drop = () => dropPeppers({ ...context, database: database(), columns })

  describe('a new pepper', () => {
    test('is known at once and used after twenty minutes, and the one before is known after that', async () => {
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

    test('is refused until the one before it is in use', async () => {
      await rotate()
      context.clock.advanceSeconds(1_199)
      await expect(rotate()).rejects.toThrow('rotation_under_way')
      context.clock.advanceSeconds(1)
      await rotate()
    })

    test('is made once by two that make one at the same time', async () => {
      const made = await Promise.allSettled([rotate(), rotate()])
      expect(made.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
      expect(
        await context.db.selectFrom('server_keys').where('purpose', '=', 'pepper').select('id').execute(),
      ).toHaveLength(2)
    })

    test('is refused while a server runs that knows no peppers by their names', async () => {
      const say = (name: string, keys: readonly string[]) =>
        sayHeldKeys(context.db, { id: name, name, keys }, nowSeconds(context.clock))
      await say('of this release', ['a master key', 'pepper'])
      await say('of the last', ['a master key'])
      await expect(rotate()).rejects.toThrow(
        'servers_without_pepper: these servers run an earlier release or have not read the current pepper yet: of the last. ',
      )
      await say('of the last', ['a master key', 'pepper'])
      await rotate()
    })

    test('that another process made is read when it is met, and the work that met it is done again', async () => {
      const late = await openKeyring(context)
      const second = await newPepper(context, database())
      let tries = 0
      const work = async () => {
        tries += 1
        return late.pepper('a', second)
      }
      expect(await knowingPeppers(late, work)).toEqual(context.keyring.pepper('a', second))
      expect(tries).toBe(2)
      // One that was never made is looked for, and then refused.
      const never = knowingPeppers(late, async () => late.pepper('a', 'never-made'))
      await expect(never).rejects.toBeInstanceOf(UnknownPepper)
    })
  })

  describe('what was made before', () => {
    const start = async () => {
      const grant = await context.transaction((trx) =>
        startSession(trx, context, owner, { key: browser, device: null }),
      )
      return tokensOfGrant(context.db, context, grant, browser)
    }
    const refresh = (refreshToken: string) =>
      refreshSession(context, { appId, refreshToken, provenKey: browser }, async (_, { tokens }) => tokens)
    const tokenKeys = async () =>
      (await context.db.selectFrom('sessions').select('token_key').orderBy('created_at').execute()).map(
        ({ token_key }) => token_key,
      )

    test('a session goes on, and one that begins names the new pepper', async () => {
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

    test('a pepper goes ten minutes after its use, and not while a session names it', async () => {
      await start()
      const second = await newPepper(context, database())
      context.clock.advanceSeconds(600)
      expect(await drop()).toEqual({ dropped: [], kept: ['pepper'] })
      await context.db.deleteFrom('sessions').execute()
      await start()
      expect(await drop()).toEqual({ dropped: ['pepper'], kept: [] })
      // The same of one that has a name, and ten minutes are ten minutes.
      await newPepper(context, database())
      context.clock.advanceSeconds(600)
      expect(await drop()).toEqual({ dropped: [], kept: [second] })
      await context.db.deleteFrom('sessions').execute()
      await newPepper(context, database())
      context.clock.advanceSeconds(599)
      expect(await drop()).toMatchObject({ dropped: [second], kept: [expect.any(String)] })
      context.clock.advanceSeconds(1)
      expect((await drop()).dropped).toHaveLength(1)
      // A keyring that starts now has the last alone, and makes no first one anew.
      const { keyring } = { keyring: await openKeyring(context) }
      expect(keyring.pepperIds()).toEqual([context.keyring.pepperInUse()])
    })

    test.each(['wallets', 'wallet_reshares'] as const)(
      'nor while a recovery password in %s does',
      async (table) => {
        const second = await newPepper(context, database())
        await newPepper(context, database())
        context.clock.advanceSeconds(600)
        await putRecovery(table, 'passkey', `${second}.key`)
        await putRecovery(table, 'user-passcode', `${second}.hash`)
        expect(await drop()).toEqual({ dropped: ['pepper'], kept: [second] })
        await context.db.deleteFrom(table).where('recovery_method', '=', 'user-passcode').execute()
        expect(await drop()).toEqual({ dropped: [second], kept: [] })
      },
    )

    test('nor while one names none, which is the first', async () => {
      await newPepper(context, database())
      context.clock.advanceSeconds(600)
      await putRecovery('wallets', 'user-passcode', 'hash')
      expect(await drop()).toEqual({ dropped: [], kept: ['pepper'] })
      await context.db.deleteFrom('wallets').execute()
      expect(await drop()).toEqual({ dropped: ['pepper'], kept: [] })
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

    test('a code of a session that was made a moment before is taken', async () => {
      const { tokens, session } = await start()
      await rotate()
      await context.keyring.refresh()
      context.clock.advanceSeconds(1_180)
      const caller = { ...owner, sessionId: session.id, isFork: false, scope: 'host' } as const
      const seed = await context.transaction((trx) => createSessionCode(trx, context, caller))
      const code = sessionCodeOf(context, seed)
      context.clock.advanceSeconds(20)
      expect(context.keyring.pepperInUse()).not.toBe('pepper')
      expect(sessionCodeOf(context, seed)).toBe(code)
      await context.transaction((trx) => redeemSessionCode(trx, context, { appId, code, provenKey: browser }))
      expect(tokens.token).toBeTruthy()
      const next = await context.transaction((trx) => createSessionCode(trx, context, caller))
      expect(next.seed).toMatch(new RegExp(`^${context.keyring.pepperInUse()}\\.[\\w-]{43}$`))
    })

    test('a login that is in a window goes on with the pepper that it began with', async () => {
      const sealed = seal(context, 'a-handle', 'a thing', 'a text')
      const begun = { handle: 'a-handle', pepper: context.keyring.pepperInUse() }
      const secrets = legSecretsOf(context, begun)
      const second = await newPepper(context, database())
      expect(unseal(context, 'a-handle', 'a thing', sealed)).toBe('a text')
      expect(await legOfState(context, secrets.state)).toEqual(begun)
      expect(legSecretsOf(context, begun)).toEqual(secrets)
      expect(isCodeOf(context, begun, authorizationCodeOf(context, begun))).toBe(true)
      const next = { handle: 'a-handle', pepper: second }
      const later = legSecretsOf(context, next)
      expect(later.state).toMatch(new RegExp(`^a-handle\\.${second}\\.[\\w-]{43}$`))
      expect(await legOfState(context, later.state)).toEqual(next)
      for (const [name, secret] of Object.entries(secrets)) expect(Object(later)[name]).not.toBe(secret)
      expect(isCodeOf(context, next, authorizationCodeOf(context, begun))).toBe(false)
    })

    test('a state is of no login where it names a pepper that is not its own', async () => {
      const second = await newPepper(context, database())
      const { state } = legSecretsOf(context, { handle: 'a-handle', pepper: second })
      expect(await legOfState(context, state.replace(second, 'never-made'))).toBeUndefined()
      expect(await legOfState(context, state.replace(`${second}.`, ''))).toBeUndefined()
      expect(await legOfState(context, `${state}.more`)).toBeUndefined()
      expect(await legOfState(context, state)).toBeDefined()
    })
  })
})
