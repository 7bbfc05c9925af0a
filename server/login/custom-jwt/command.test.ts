import { expect, test } from 'vitest'
import { createApp, setFields } from '../../identity/apps/manage.ts'
import { collectMigrations } from '../../kernel/capability.ts'
import { forDefaultEngine } from '../../kernel/db/test-engines.ts'
import { customJwt, customJwtCommand } from './capability.ts'

forDefaultEngine(
  (database) => {
    const run = (...args: readonly string[]) =>
      customJwtCommand.run('an-app', args, database().db, {
        clock: { nowMs: Date.now },
        dialogOrigin: 'http://dialog.localhost:4000',
        openKms: () => Promise.reject(new Error('It wraps nothing')),
        readConfig: () => expect.unreachable(),
      })
    const right = [
      '--jwks',
      'https://login.example/jwks',
      '--issuer',
      'https://login.example',
      '--audience',
      'me',
    ]
    const set = (...args: string[]) => run(...args, '--i-can-open-every-wallet')

    test('sets, shows, replaces and removes an issuer', async () => {
      expect(customJwtCommand.name).toBe('custom-jwt')
      expect(await run()).toEqual({ type: 'done', lines: [] })
      expect(await set(...right)).toEqual({
        type: 'done',
        lines: ['App an-app now accepts tokens of https://login.example.'],
      })
      expect(await run()).toMatchObject({ lines: expect.arrayContaining(['claim sub']) })
      expect(await set(...right, '--claim', 'account')).toMatchObject({ type: 'done' })
      expect(await run()).toEqual({
        type: 'done',
        lines: [
          'app_id an-app',
          'jwks_url https://login.example/jwks',
          'issuer https://login.example',
          'audience me',
          'claim account',
        ],
      })
      expect(await run('off')).toEqual({
        type: 'done',
        lines: ['App an-app no longer accepts tokens of an issuer.'],
      })
      expect(await run()).toEqual({ type: 'done', lines: [] })
    })

    test('refuses an issuer that is incomplete or not https', async () => {
      for (const some of [right.slice(2), right.slice(0, 4), [...right.slice(0, 2), ...right.slice(4)]]) {
        expect(await run(...some)).toEqual({ type: 'misused', lines: [] })
      }
      expect(await set('--jwks', 'http://login.example/jwks', ...right.slice(2))).toEqual({
        type: 'refused',
        lines: ['jwks_url must be https, except on this machine'],
      })
      expect(await run()).toEqual({ type: 'done', lines: [] })
    })

    test('refuses an issuer without the consent of the operator, unless users own their recovery', async () => {
      const clock = { nowMs: Date.now }
      const { id } = await createApp(database().db, clock, {
        name: 'Field notes',
        origins: ['https://app.example'],
        environment: 'development',
      })
      const runFor = (appId: string) =>
        customJwtCommand.run(appId, right, database().db, {
          clock,
          dialogOrigin: 'http://dialog.localhost:4000',
          openKms: () => Promise.reject(new Error('No key file')),
          readConfig: () => expect.unreachable(),
        })
      const refusal = {
        type: 'refused',
        lines: expect.arrayContaining([expect.stringContaining('--i-can-open-every-wallet')]),
      }
      expect(await runFor('an-unknown-app')).toEqual(refusal)
      expect(await runFor(id)).toEqual(refusal)
      await setFields(database().db, clock, id, [
        ['embedded_wallet_config', { require_user_owned_recovery_on_create: true }],
      ])
      expect(await runFor(id)).toMatchObject({ type: 'done' })
    })
  },
  { migrations: collectMigrations([customJwt]) },
)
