import { expect, test } from 'vitest'
import { capabilityScripts, scriptsOf, scriptsOfPage } from './budgets.ts'

const manifest = {
  'index.html': { file: 'core.js', imports: ['_shared.js'], dynamicImports: ['face/index.tsx'] },
  '_shared.js': { file: 'shared.js' },
  'face/index.tsx': { file: 'face.js', imports: ['_shared.js', '_react.js'] },
  '_react.js': { file: 'react.js', imports: ['_shared.js'] },
  'face.css': { file: 'face.css' },
}

test('an entry weighs itself and what it imports, and not what it loads later', () => {
  expect(scriptsOf(manifest, ['index.html'])).toEqual(['core.js', 'shared.js'])
})

test('two entries together count what they share once', () => {
  expect(scriptsOf(manifest, ['index.html', 'face/index.tsx'])).toEqual([
    'core.js',
    'shared.js',
    'face.js',
    'react.js',
  ])
})

test('an entry that the manifest lacks is an error and not a weight of nothing', () => {
  expect(() => scriptsOf(manifest, ['face/gone.tsx'])).toThrow('face/gone.tsx')
})

test('a page asks for its scripts and for what it preloads, and not for its styles', () => {
  const html = `<link rel="stylesheet" href="/assets/a.css"><script type="module" src="/assets/a.js"></script>
    <link rel="modulepreload" crossorigin href="/assets/b.js"><script type="application/json" id="config">{}</script>`
  expect(scriptsOfPage(html)).toEqual(['assets/a.js', 'assets/b.js'])
})

test('a capability costs its script and what that needs, without what the page has', () => {
  const built = {
    '_core-1.js': { file: 'core.js' },
    '_qr-2.js': { file: 'qr.js', imports: ['_core-1.js'] },
    '_siwe-3.js': { file: 'siwe.js', imports: ['_qr-2.js', '_core-1.js'], dynamicImports: ['_relay-4.js'] },
    '_relay-4.js': { file: 'relay.js' },
    '_siwe-5.css': { file: 'siwe.css' },
  }
  expect(capabilityScripts(built, ['core.js'], 'siwe')).toEqual({
    own: ['siwe.js'],
    all: ['siwe.js', 'qr.js'],
  })
})
