import { afterEach, describe, expect, it, vi } from 'vitest'
import { getError, getErrorCode } from '../testing/client.ts'
import { createLatchkey, LatchkeyError } from './index.ts'

const appId = 'lkdemo0000000000000000001'
const dialogUrl = 'https://dialog.example'
const thrownBy = (run: () => unknown) => {
  try {
    run()
  } catch (error) {
    if (error instanceof LatchkeyError) return error
    throw error
  }
  throw new Error('It did not throw')
}

describe('createLatchkey', () => {
  afterEach(() => vi.unstubAllGlobals())

  // spec L5.1
  it.each(['a'.repeat(24), 'a'.repeat(26), '', 12345, undefined, null, ['a'.repeat(25)]])(
    'refuses the app id %j',
    (wrong) => {
      const error = thrownBy(() => Reflect.apply(createLatchkey, undefined, [{ appId: wrong, dialogUrl }]))
      expect(error.code).toBe('missing_or_invalid_latchkey_app_id')
      expect(error.message).toBe('Invalid app id: it must be a string of exactly 25 characters.')
    },
  )

  it.each([undefined, null, 'lkdemo0000000000000000001'])('rejects invalid options: %j', (wrong) => {
    const error = thrownBy(() => Reflect.apply(createLatchkey, undefined, [wrong]))
    expect([error.code, error.message]).toEqual([
      'invalid_data',
      'createLatchkey() takes an object: { appId, dialogUrl }',
    ])
  })

  it('rejects an invalid configuration with its path', () => {
    const error = thrownBy(() => Reflect.apply(createLatchkey, undefined, [{ appId, dialogUrl, config: 5 }]))
    expect([error.code, error.message, error.details]).toEqual([
      'invalid_data',
      'config must be an object',
      { path: 'config' },
    ])
  })

  it('returns a handle without effects outside a browser; its calls reject with a code', async () => {
    const timer = vi.spyOn(globalThis, 'setTimeout')
    const latchkey = createLatchkey({ appId, preload: 'now' })
    const calls = [
      latchkey.ready,
      latchkey.login(),
      latchkey.logout(),
      latchkey.getUser(),
      latchkey.getAccessToken(),
      latchkey.forkSession(),
      latchkey.createWallet(),
      latchkey.signMessage('hi'),
      latchkey.setConfig({}),
    ]
    for (const call of calls) expect(await getErrorCode(call)).toBe('not_supported')
    expect((await getError(latchkey.login())).message).toContain('runs in the browser only')
    latchkey.on('login', () => {})()
    latchkey.destroy()
    expect(timer).not.toHaveBeenCalled()
    expect(Reflect.has(globalThis, 'window')).toBe(false)
  })

  describe('in a browser', () => {
    const inBrowser = () => {
      const page = { readyState: 'loading', createElement: () => ({ remove() {} }) }
      vi.stubGlobal('document', Object.assign(new EventTarget(), page))
      vi.stubGlobal('location', { href: 'https://app.example/' })
    }

    it('throws if the dialog URL is missing', () => {
      inBrowser()
      const error = thrownBy(() => createLatchkey({ appId }))
      expect([error.code, error.message]).toEqual([
        'invalid_data',
        'dialogUrl is missing. Pass the URL of the dialog, such as https://dialog.example',
      ])
    })

    it.each([undefined, 'dialog.example', 'javascript:alert(1)', 'https://', 'https://a.example?b', 7])(
      'rejects the dialog URL %j',
      (wrong) => {
        inBrowser()
        const error = thrownBy(() => Reflect.apply(createLatchkey, undefined, [{ appId, dialogUrl: wrong }]))
        expect([error.code, error.details]).toEqual(['invalid_data', { path: 'dialogUrl' }])
      },
    )

    it.each([null, {}, { getToken: 'a.b.c' }])('rejects the login %j', (auth) => {
      inBrowser()
      const error = thrownBy(() => Reflect.apply(createLatchkey, undefined, [{ appId, dialogUrl, auth }]))
      expect([error.code, error.details]).toEqual(['invalid_data', { path: 'auth.getToken' }])
    })

    it('rejects an unknown event and a listener that is not a function', () => {
      inBrowser()
      const latchkey = createLatchkey({ appId, dialogUrl, preload: 'never' })
      const listen = (...args: readonly unknown[]) => Reflect.apply(latchkey.on, undefined, args)
      const refused = (...args: readonly unknown[]) => {
        const { code, details } = thrownBy(() => listen(...args))
        return [code, details]
      }
      for (const name of ['logon', 'toString', undefined]) {
        expect(refused(name, () => {})).toEqual(['invalid_data', { path: 'name' }])
      }
      for (const listener of [5, undefined, {}]) {
        expect(refused('login', listener)).toEqual(['invalid_data', { path: 'listener' }])
      }
      const names =
        'ready login logout user token open close error oauthTokens mfaRequired chainChanged'.split(' ')
      for (const name of names) expect(listen(name, () => {})).toBeTypeOf('function')
      latchkey.destroy()
    })

    it('warns in the console about a configuration that the dialog of a connected page refuses', async () => {
      inBrowser()
      const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
      const refused = new LatchkeyError('invalid_data', 'No colour', { details: { path: 'config.accent' } })
      const failures = [refused, new LatchkeyError('client_destroyed', 'gone')]
      const client = {
        appId,
        dialogUrl,
        call: () => Promise.reject(failures.shift()),
        preload() {},
        events: new EventTarget(),
        close() {},
      }
      const clients = new Map([[`${appId} ${dialogUrl}`, { client, handles: 1 }]])
      vi.stubGlobal(Symbol.for('latchkey.clients.1') as never, clients)
      for (const _ of failures.slice()) createLatchkey({ appId, dialogUrl, config: {}, preload: 'never' })
      await new Promise((resolve) => setImmediate(resolve))
      expect(failures).toEqual([])
      expect(warned.mock.calls).toEqual([[refused]])
      warned.mockRestore()
    })

    it('uses the dialog URL of an existing client of the page', () => {
      inBrowser()
      const first = createLatchkey({ appId, dialogUrl: `${dialogUrl}/`, preload: 'never' })
      const second = createLatchkey({ appId, preload: 'never' })
      first.destroy()
      second.destroy()
      expect(thrownBy(() => createLatchkey({ appId, preload: 'never' })).code).toBe('invalid_data')
    })
  })
})
