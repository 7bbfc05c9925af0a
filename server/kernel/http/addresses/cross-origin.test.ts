import { beforeEach, expect, test } from 'vitest'
import { testServer } from '../../../identity/sessions/testing/browser.ts'
import type { Server } from '../../../start/app.ts'
import { testContext } from '../../../testing/context.ts'
import { forDefaultEngine } from '../../db/test-engines.ts'

const names = (list: string | null) => (list ?? '').split(',').map((name) => name.trim())

forDefaultEngine((database) => {
  let server: Server
  beforeEach(async () => {
    server = testServer(await testContext(database()))
  })
  const ask = async (host: string, origin: string) => {
    const headers = { host, origin, 'access-control-request-method': 'POST' }
    const path = `http://${host}/api/v1/passwordless/init`
    return (await server.request(path, { method: 'OPTIONS', headers })).headers
  }

  test('the dialog and wallet pages may call the API on a custom hostname, with cookies and all headers', async () => {
    for (const origin of ['http://dialog.localhost:4000', 'http://wallet.localhost:4000']) {
      const headers = await ask('api.app.example', origin)
      expect(headers.get('access-control-allow-origin')).toBe(origin)
      expect(headers.get('access-control-allow-credentials')).toBe('true')
      expect(names(headers.get('access-control-allow-methods'))).toEqual(['GET', 'POST', 'DELETE'])
      expect(names(headers.get('access-control-allow-headers')).sort()).toEqual([
        'authorization',
        'content-type',
        'dpop',
        'farcaster-channel-token',
        'latchkey-app-id',
        'latchkey-ca-id',
        'latchkey-client',
        'latchkey-client-id',
        'latchkey-device',
        'latchkey-login-binding',
        'latchkey-request-id',
      ])
    }
  })

  test('rejects other origins, and sends no CORS headers on the page hostnames', async () => {
    const leave = 'access-control-allow-origin'
    expect((await ask('api.app.example', 'http://demo.localhost:4010')).get(leave)).toBeNull()
    expect((await ask('dialog.localhost:4000', 'http://wallet.localhost:4000')).get(leave)).toBeNull()
  })
})
