import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { newRegistry } from '../../kernel/registry.ts'
import { oauthEnvironment, readOAuthSettings } from './environment.ts'
import { sandboxClients } from './testing/at-sandbox.ts'

const parse = (environment: Record<string, string>) => {
  const parts = newRegistry('a test')
  return { wrong: oauthEnvironment.parse(environment, parts), parts }
}
const settings = (environment: Record<string, string>) => {
  const { wrong, parts } = parse(environment)
  expect(wrong).toEqual([])
  return readOAuthSettings({ parts })
}
const keyOf = (namedCurve: string) =>
  generateKeyPairSync('ec', { namedCurve })
    .privateKey.export({ format: 'der', type: 'pkcs8' })
    .toString('base64')

test('has no clients and the real providers by default', () => {
  expect(settings({})).toEqual({ clients: {}, providersUrl: undefined })
})

test('parses a client id and a secret that may contain a colon', () => {
  expect(settings({ OAUTH_GOOGLE: 'id.apps.example:GOCSPX-a:b' }).clients).toEqual({
    google: { type: 'secret', id: 'id.apps.example', secret: 'GOCSPX-a:b' },
  })
})

test('accepts all nine providers', () => {
  expect(Object.keys(settings(sandboxClients).clients).sort()).toEqual([
    'apple',
    'discord',
    'github',
    'google',
    'instagram',
    'linkedin',
    'spotify',
    'tiktok',
    'twitter',
  ])
})

test('parses Apple’s client with a P-256 key', () => {
  const apple = (key: string) => ({ OAUTH_APPLE: `com.example.web:ABCDE12345:KEYID12345:${key}` })
  expect(settings(apple(keyOf('P-256'))).clients.apple).toMatchObject({
    type: 'signed',
    id: 'com.example.web',
    teamId: 'ABCDE12345',
    keyId: 'KEYID12345',
  })
  const refused = [expect.stringMatching(/^OAUTH_APPLE must be <services id>:<team id>:<key id>:/)]
  expect(parse(apple(keyOf('P-384'))).wrong).toEqual(refused)
  expect(parse(apple('bm9uc2Vuc2U=')).wrong).toEqual(refused)
  expect(parse({ OAUTH_APPLE: 'com.example.web:secret' }).wrong).toEqual(refused)
})

test.each([
  ['OAUTH_GITHUB', 'only-an-id', 'must be <client id>:<client secret>'],
  ['OAUTH_GITHUB', 'id:', 'must be <client id>:<client secret>'],
  ['OAUTH_PROVIDERS_URL', 'http://providers.example/oauth', 'must be https, except on this machine'],
  ['OAUTH_PROVIDERS_URL', 'https://providers.example/oauth/', 'must not end with a slash'],
  ['OAUTH_PROVIDERS_URL', 'nowhere', 'must be a URL'],
])('rejects %s=%s with a message', (name, value, sentence) => {
  expect(parse({ [name]: value }).wrong).toContain(`${name} ${sentence}`)
})
