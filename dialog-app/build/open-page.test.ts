import { loginMethodRows, screenLimits } from '@latchkey/protocol'
import type { Rolldown } from 'vite'
import { expect, test } from 'vitest'
import { entriesMax, linksFor } from './open-page.config.ts'

const chunk = (name: string, moduleIds: string[], imports: string[] = [], styles: string[] = []) =>
  ({
    type: 'chunk',
    fileName: `assets/${name}.js`,
    moduleIds,
    imports: imports.map((each) => `assets/${each}.js`),
    viteMetadata: { importedCss: new Set(styles.map((each) => `assets/${each}.css`)) },
  }) as unknown as Rolldown.OutputChunk

const files = [
  chunk('core', ['/dialog-app/start/main.ts']),
  chunk('dialog', ['/dialog-app/start/lazy/start-dialog.ts'], ['core']),
  chunk('shell', ['/dialog-app/shell/index.tsx'], ['core', 'runtime'], ['shell']),
  chunk('runtime', ['rolldown/runtime.js']),
  chunk('landing', ['/dialog-app/capabilities/landing/landing-screen.tsx'], ['shell']),
  chunk('email', ['/dialog-app/capabilities/email/email-entry.tsx'], ['shell']),
  chunk('codes', ['/dialog-app/capabilities/codes/code-screen.tsx'], ['shell'], ['codes']),
  chunk('ar', ['/protocol/texts/locales/ar.js']),
  chunk('with-setting', [
    '/dialog-app/capabilities/sms/sms.ts',
    '/dialog-app/capabilities/telegram/telegram.ts',
  ]),
  chunk('options', ['/dialog-app/capabilities/landing/lazy/options/options-view.tsx'], ['shell']),
  chunk('sms', ['/dialog-app/capabilities/sms/phone-entry.tsx'], ['shell', 'phone']),
  chunk('telegram', ['/dialog-app/capabilities/telegram/telegram-screens.tsx'], ['shell']),
  chunk('phone', ['/dialog-app/ui/fields/phone/phone-field.tsx'], ['shell'], ['phone']),
  chunk('sign', ['/dialog-app/capabilities/sign/request-screen.tsx'], ['shell'], ['sign']),
]
const bundle = Object.fromEntries(files.map((file) => [file.fileName, file]))

const ways = Object.values(loginMethodRows)
const html = '<script type="module" src="/assets/core.js"></script>'
const hrefs = (links: string) =>
  [...links.matchAll(/rel="(\w+)" crossorigin href="([^"]+)"/g)].map(([, rel, href]) => [rel, href])

test('preloads the files that every login needs, and no others', () => {
  const always = linksFor(html, bundle, ways).replace(/<!--if .*?<!--end-->/g, '')
  expect(hrefs(always)).toEqual([
    ['modulepreload', '/assets/dialog.js'],
    ['modulepreload', '/assets/shell.js'],
    ['modulepreload', '/assets/runtime.js'],
    ['modulepreload', '/assets/landing.js'],
    ['modulepreload', '/assets/email.js'],
    ['modulepreload', '/assets/codes.js'],
    ['stylesheet', '/assets/shell.css'],
    ['stylesheet', '/assets/codes.css'],
  ])
})

test('preloads the LANDING files of a login method only for apps with that method', () => {
  const sections = [...linksFor(html, bundle, ways).matchAll(/<!--if ([\w |]+)-->(.*?)<!--end-->/g)]
  const wanted = new Map(sections.map(([, settings = '', link = '']) => [hrefs(link)[0]?.[1], settings]))
  expect(wanted.get('/assets/sms.js')).toBe('smsAuth')
  expect(wanted.get('/assets/phone.js')).toBe('smsAuth')
  expect(wanted.get('/assets/phone.css')).toBe('smsAuth')
  expect(wanted.get('/assets/options.js')).toContain('tiktokOauth')
  expect(wanted.get('/assets/with-setting.js')).toContain('smsAuth | telegramAuth while')
  expect([...wanted.keys()]).toHaveLength(6)
})

test('preloads a method that many others move behind a button only for apps with few methods', () => {
  const [, condition] = /<!--if ([\w |]+)-->[^>]*telegram\.js/.exec(linksFor(html, bundle, ways)) ?? []
  expect(condition).toBe(
    'telegramAuth while at most 4 of emailAuth smsAuth googleOauth appleOauth discordOauth githubOauth linkedinOauth spotifyOauth instagramOauth twitterOauth tiktokOauth farcasterAuth telegramAuth',
  )
  expect(entriesMax).toBe(screenLimits.web2EntriesMax)
})

test('preloads the LANDING layout for every setting but the e-mail one', () => {
  const [, settings = ''] = /<!--if ([\w |]+)-->[^>]*options\.js/.exec(linksFor(html, bundle, ways)) ?? []
  expect(settings.split(' ').sort()).toEqual([
    'appleOauth',
    'discordOauth',
    'farcasterAuth',
    'githubOauth',
    'googleOauth',
    'instagramOauth',
    'linkedinOauth',
    'passkeyAuth',
    'smsAuth',
    'spotifyOauth',
    'telegramAuth',
    'tiktokOauth',
    'twitterOauth',
    'walletAuth',
  ])
})
