import { expect, test } from 'vitest'
import { scriptsInManifest, scriptsInPage } from './built-scripts.mjs'

test('a page loads its scripts and preloads, without styles and without optional parts', () => {
  const html = `<link rel="stylesheet" href="/assets/a.css"><script type="module" src="/assets/a.js"></script>
    <link rel="modulepreload" crossorigin href="/assets/b.js"><script type="application/json" id="config">{}</script>
    <!--if captcha--><script src="/assets/c.js"></script><!--end-->`
  expect(scriptsInPage(html)).toEqual(['assets/a.js', 'assets/b.js'])
})

test('a capability loads its script and each static import once, without later imports', () => {
  const manifest = {
    '_core-1.js': { file: 'core.js' },
    '_qr-2.js': { file: 'qr.js', imports: ['_core-1.js'] },
    '_siwe-3.js': { file: 'siwe.js', imports: ['_qr-2.js', '_core-1.js'], dynamicImports: ['_relay-4.js'] },
    '_relay-4.js': { file: 'relay.js' },
    '_siwe-5.css': { file: 'siwe.css' },
  }
  expect(scriptsInManifest(manifest, 'siwe')).toEqual(['siwe.js', 'qr.js', 'core.js'])
  expect(() => scriptsInManifest(manifest, 'gone')).toThrow('gone')
})
