import { expect, test } from 'vitest'
import { hasConfigPlaceholder, withConfig, withPreconnect, withSettings } from './template.ts'

const page = '<!--wallet-preconnect--><script type="application/json" id="latchkey-config">{}</script>'

test('inserts an origin as escaped text into its placeholder', () => {
  expect(withPreconnect(page, 'https://wallet.example')).toBe(
    page.replace('<!--wallet-preconnect-->', '<link rel="preconnect" href="https://wallet.example">'),
  )
  expect(withPreconnect(page, `"><script>&$'`)).toContain('href="&quot;&gt;&lt;script&gt;&amp;$&#39;">')
})

test('keeps a conditional part only for an app with one of its settings on', () => {
  const parts = '<!--if smsAuth-->sms <!--end--><!--if googleOauth appleOauth-->\noauth\n<!--end-->.<!--if-->'
  const off = { smsAuth: false, googleOauth: false, appleOauth: false }
  expect(withSettings(parts, off)).toBe('.<!--if-->')
  expect(withSettings(parts, { ...off, smsAuth: true })).toBe('sms .<!--if-->')
  expect(withSettings(parts, { ...off, appleOauth: true })).toBe('\noauth\n.<!--if-->')
  expect(withSettings(parts, { ...off, smsAuth: 'true' })).toBe('.<!--if-->')
})

test('supports conditions that limit the other settings, and alternatives', () => {
  const part = '<!--if google | telegram while at most 2 of email google telegram-->telegram<!--end-->'
  expect(withSettings(part, { email: true, telegram: true })).toBe('telegram')
  expect(withSettings(part, { email: true, telegram: false })).toBe('')
  expect(withSettings(part, { email: true, telegram: true, google: true })).toBe('telegram')
  const crowded = part.replace('google | ', '')
  expect(withSettings(crowded, { email: true, telegram: true, google: true })).toBe('')
})

test('leaves a page without placeholders unchanged', () => {
  const bare = '<p>latchkey-config</p>'
  expect(withPreconnect(bare, 'https://wallet.example')).toBe(bare)
  expect(withConfig(bare, { a: 1 })).toBe(bare)
  expect([hasConfigPlaceholder(page), hasConfigPlaceholder(bare)]).toEqual([true, false])
})

test('inserts a config that parses to the same value, whatever replacement patterns or markup it contains', () => {
  const config = { name: `$& $1 $' </script><!-- \u2028 "` }
  const [, json = ''] = />([^<]*)<\/script>$/.exec(withConfig(page, config)) ?? []
  expect(JSON.parse(json)).toEqual(config)
})
