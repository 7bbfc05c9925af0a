/** Metrics of OAuth logins. */
import { afterEach, expect, test } from 'vitest'
import { forDefaultEngine } from '../../kernel/db/test-engines.ts'
import { openTestTelemetry } from '../../testing/telemetry.ts'
import { oauthFixture, oauthTables } from './testing/fixture.ts'
import { startProviders } from './testing/sandbox.ts'

const telemetry = openTestTelemetry()
const sandbox = await startProviders()
afterEach(() => sandbox.setFault('none'))

forDefaultEngine((database) => {
  test('counts a login for its provider, even if the provider fails', async () => {
    const { loginAs, codeFor, authenticate, newBrowser } = await oauthFixture(database(), sandbox)
    const logins = (labels: Readonly<Record<string, string>>) =>
      telemetry.sum('latchkey_logins_total', labels)
    const before = await logins({ method: 'google', outcome: 'success' })
    await loginAs('google')
    expect(await logins({ method: 'google', outcome: 'success' })).toBe(before + 1)

    const visitor = newBrowser()
    const code = await codeFor('discord', undefined, visitor)
    await sandbox.setFault('failing')
    const failed = await logins({ method: 'discord' })
    expect((await authenticate(code, visitor)).status).toBe(400)
    expect(await logins({ method: 'discord', outcome: 'oauth_unexpected' })).toBe(failed + 1)
    expect(
      await telemetry.sum('http_client_request_duration_seconds_count', { server_address: 'discord.com' }),
    ).toBeGreaterThan(0)
  })
}, oauthTables)
