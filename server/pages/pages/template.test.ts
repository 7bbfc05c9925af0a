import { expect, test } from 'vitest'
import { hasPlaceForConfig, withConfig, withPreconnect, withSettings } from './template.ts'

const page = '<!--wallet-preconnect--><script type="application/json" id="latchkey-config">{}</script>'

test('an origin is written as text into the place that the page has for it', () => {
  expect(withPreconnect(page, 'https://wallet.example')).toBe(
    page.replace('<!--wallet-preconnect-->', '<link rel="preconnect" href="https://wallet.example">'),
  )
  expect(withPreconnect(page, `"><script>&$'`)).toContain('href="&quot;&gt;&lt;script&gt;&amp;$&#39;">')
})

test('a part for some settings is for an app that has one of them on, and for no other', () => {
  const parts = '<!--if smsAuth-->sms <!--end--><!--if googleOauth appleOauth-->\noauth\n<!--end-->.<!--if-->'
  const off = { smsAuth: false, googleOauth: false, appleOauth: false }
  expect(withSettings(parts, off)).toBe('.<!--if-->')
  expect(withSettings(parts, { ...off, smsAuth: true })).toBe('sms .<!--if-->')
  expect(withSettings(parts, { ...off, appleOauth: true })).toBe('\noauth\n.<!--if-->')
  expect(withSettings(parts, { ...off, smsAuth: 'true' })).toBe('.<!--if-->')
})

test('a part may be for an app that has few others on, or for what else it is needed for', () => {
  const part = '<!--if google | telegram while at most 2 of email google telegram-->telegram<!--end-->'
  expect(withSettings(part, { email: true, telegram: true })).toBe('telegram')
  expect(withSettings(part, { email: true, telegram: false })).toBe('')
  expect(withSettings(part, { email: true, telegram: true, google: true })).toBe('telegram')
  const crowded = part.replace('google | ', '')
  expect(withSettings(crowded, { email: true, telegram: true, google: true })).toBe('')
})

test('a page without such a place stays as it is', () => {
  const bare = '<p>latchkey-config</p>'
  expect(withPreconnect(bare, 'https://wallet.example')).toBe(bare)
  expect(withConfig(bare, { a: 1 })).toBe(bare)
  expect([hasPlaceForConfig(page), hasPlaceForConfig(bare)]).toEqual([true, false])
})

test('what stands in a config is read back as it was, whatever a replacement or a script would make of it', () => {
  const config = { name: `$& $1 $' </script><!-- \u2028 "` }
  const [, json = ''] = />([^<]*)<\/script>$/.exec(withConfig(page, config)) ?? []
  expect(JSON.parse(json)).toEqual(config)
})
