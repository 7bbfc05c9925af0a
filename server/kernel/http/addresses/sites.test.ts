import { expect, test } from 'vitest'
import { testApp, testContext } from '../../../testing/context.ts'
import { parseConfig } from '../../config.ts'
import { forDefaultEngine } from '../../db/test-engines.ts'
import { mergeSources } from '../pages/page-sources.ts'
import { servesApi, siteForHost } from './sites.ts'

const config = parseConfig({
  DIALOG_ORIGIN: 'https://login.example',
  WALLET_ORIGIN: 'https://keys.example:8443',
})

test('classifies hostnames case-insensitively and with their port', () => {
  expect(siteForHost('login.example', config)).toBe('dialog')
  expect(siteForHost('LOGIN.example', config)).toBe('dialog')
  expect(siteForHost('keys.example:8443', config)).toBe('wallet')
  for (const host of ['keys.example', 'login.example:8443', 'login.example.evil.example', '', undefined]) {
    expect(siteForHost(host, config)).toBe('elsewhere')
  }
})

forDefaultEngine((database) => {
  test('a custom hostname serves the API of its app only', async () => {
    const app = await testApp(await testContext(database()))
    const own = { ...app, config: { ...app.config, customApiUrl: 'https://api.app.example' } }
    for (const site of ['dialog', 'wallet'] as const) {
      expect(servesApi(site, undefined, 'login.example')).toBe(true)
    }
    expect(servesApi('elsewhere', own, 'API.app.example')).toBe(true)
    expect(servesApi('elsewhere', own, 'app.example')).toBe(false)
    expect(servesApi('elsewhere', own, undefined)).toBe(false)
    expect(servesApi('elsewhere', app, 'api.app.example')).toBe(false)
    expect(servesApi('elsewhere', app, undefined)).toBe(false)
    expect(servesApi('elsewhere', undefined, undefined)).toBe(false)
  })
})

test('merges the sources of all capabilities and rejects a source that is not a single word', () => {
  const one = { connect: ['https://a.example'], frame: ['https://b.example'] }
  const two = { connect: ['https://c.example'], script: ['https://d.example'], img: ['blob:'] }
  expect(mergeSources([one, {}, two])).toEqual({
    connect: ['https://a.example', 'https://c.example'],
    frame: ['https://b.example'],
    script: ['https://d.example'],
    img: ['blob:'],
    trustedTypes: [],
  })
  for (const kind of ['connect', 'frame', 'script', 'img'] as const) {
    for (const source of ['a; script-src *', 'a b', 'a,b', '', ' a', 'a\n']) {
      expect(() => mergeSources([{ [kind]: [source] }])).toThrow('single word')
    }
  }
})
