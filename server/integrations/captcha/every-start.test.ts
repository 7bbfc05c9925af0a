import type { Route } from '@latchkey/protocol/api'
import { expect, test } from 'vitest'
import { collectEnvironment } from '../../kernel/capability.ts'
import { parseConfig } from '../../kernel/config.ts'
import type { ServerContext } from '../../kernel/context.ts'
import type { Call } from '../../kernel/http/endpoint.ts'
import { newRegistry } from '../../kernel/registry.ts'
import { capabilities } from '../../start/capabilities.ts'
import { captchaVerifier } from './captcha.ts'

/** Returns the body field for the captcha token, which is the only optional token field. */
function captchaFieldOf({ body }: Route): string | undefined {
  const entries = body && 'entries' in body ? Object(body.entries) : {}
  return ['token', 'captchaToken'].find((name) => entries[name]?.type === 'exact_optional')
}

const endpoints = capabilities.flatMap((each) => each.endpoints ?? [])
const starts = endpoints.filter(({ route }) => captchaFieldOf(route) !== undefined)

test('finds endpoints that start a login', () => {
  expect(starts.map(({ route }) => route.path)).toEqual(
    expect.arrayContaining(['/passwordless/init', '/passwordless_sms/init', '/oauth/init']),
  )
})

// spec L4.13
test.each(starts.map((endpoint) => [endpoint.route.path, endpoint] as const))(
  '%s has no effect before the captcha is passed',
  async (_path, { answer }) => {
    const ports = newRegistry('a test')
    captchaVerifier.set(ports, { check: async () => ({ type: 'not-passed' }) })
    const context = { config: parseConfig({}, collectEnvironment(capabilities)), ports } as ServerContext
    const call = {
      app: { id: 'app', config: { captchaEnabled: true } },
      body: {},
      loggedIn: async () => undefined,
    } as unknown as Call<Route>
    const done = answer(call, context, () => Promise.reject(new Error('It was done')))
    await expect(done).rejects.toMatchObject({ code: 'invalid_captcha' })
  },
)

test.each(starts.map((endpoint) => [endpoint.route.path, endpoint] as const))(
  '%s verifies the token from the field of its body',
  async (_path, { route, answer }) => {
    const ports = newRegistry('a test')
    const checked: string[] = []
    captchaVerifier.set(ports, {
      check: async ({ token }) => {
        checked.push(token)
        return { type: 'not-passed' }
      },
    })
    const context = { config: parseConfig({}, collectEnvironment(capabilities)), ports } as ServerContext
    const call = {
      app: { id: 'app', config: { captchaEnabled: true } },
      body: { [captchaFieldOf(route) ?? '']: 'of-the-captcha' },
      loggedIn: async () => undefined,
    } as unknown as Call<Route>
    const { signal } = new AbortController()
    await answer(call, context, async ({ before }) => before?.run('1', signal))
    expect(checked).toEqual(['of-the-captcha'])
  },
)
