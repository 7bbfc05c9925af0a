/** Properties of the build on which the policies of pages and vaults rely. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { product } from '@latchkey/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildFrame } from './testing/browser/build-frame.ts'

let folder = ''
let files: string[] = []
let page = ''
/** All code that the page may load. */
let script = ''
let vault = ''
let exportPage = ''
let importPage = ''
let confirmPage = ''
let crossAppPage = ''
let exportVault = ''
let importVault = ''
const read = (name: string) => readFile(join(folder, name), 'utf8')

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'wallet-frame-'))
  await buildFrame(folder)
  files = (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
  page = await read('index.html')
  const scripts = files.filter((name) => name.startsWith('assets/'))
  script = (await Promise.all(scripts.map(read))).join('\n')
  vault = await read(files.find((name) => name.startsWith('vault-')) ?? '')
  exportPage = await read('export/index.html')
  importPage = await read('import/index.html')
  confirmPage = await read('confirm/index.html')
  crossAppPage = await read('cross-app/index.html')
  exportVault = await read(files.find((name) => name.startsWith('export-vault-')) ?? '')
  importVault = await read(files.find((name) => name.startsWith('import-vault-')) ?? '')
}, 60_000)
afterAll(() => rm(folder, { recursive: true }))

describe('the build', () => {
  it('consists of six pages, their scripts and lazy chunks, and one file per vault, of which two pages share one', () => {
    const withoutHash = files.map((name) => name.replace(/-[\w-]{8}(?=\.(?:js|css)$)/, '-*')).sort()
    const isLanguage = (name: string) => /^assets\/[a-z]{2}(?:-[A-Z]{2})?-\*\.js$/.test(name)
    expect(withoutHash).toContain('assets/ar-*.js')
    expect(withoutHash.filter((name) => !isLanguage(name))).toEqual([
      'assets/__vite-browser-external-*.js',
      'assets/api-*.js',
      'assets/ask-passkey-*.js',
      'assets/ask-passkey-*.js',
      'assets/cloud-window-*.js',
      'assets/clouds-*.js',
      'assets/confirm-*.css',
      'assets/confirm-*.js',
      'assets/credentials-*.js',
      'assets/cross-app-*.css',
      'assets/cross-app-*.js',
      'assets/errors-*.js',
      'assets/errors-*.js',
      'assets/export-*.css',
      'assets/export-*.js',
      'assets/frame-calls-*.js',
      'assets/import-*.css',
      'assets/import-*.js',
      'assets/index-*.js',
      'assets/lazy-*.js',
      'assets/mfa-*.js',
      'assets/mfa-*.js',
      'assets/open-window-*.css',
      'assets/open-window-*.js',
      'assets/passkey-*.js',
      'assets/passkey-*.js',
      'assets/password-*.js',
      'assets/rolldown-runtime-*.js',
      'assets/say-*.js',
      'assets/user-recovery-*.js',
      'confirm/index.html',
      'cross-app/index.html',
      'export-vault-*.js',
      'export/index.html',
      'import-vault-*.js',
      'import/index.html',
      'index.html',
      'open-window/index.html',
      'vault-*.js',
    ])
  })

  it('has pages without inline scripts, styles or handlers, and with a placeholder for the config', () => {
    for (const [html, name] of [
      [page, 'index'],
      [exportPage, 'export'],
      [importPage, 'import'],
      [confirmPage, 'confirm'],
      [crossAppPage, 'cross-app'],
    ] as const) {
      const scripts = [...html.matchAll(/<script\b([^>]*)>([^<]*)<\/script>/g)].map(
        ([, attributes, text]) => [attributes?.trim(), text],
      )
      const address = new RegExp(`^type="module" crossorigin src="/assets/${name}-[\\w-]+\\.js"$`)
      expect(scripts).toEqual([
        [`type="application/json" id="${product.inlineConfigElementId}"`, '{}'],
        [expect.stringMatching(address), ''],
      ])
      expect(html).not.toMatch(/<style|style=|\son\w+=/)
    }
  })

  it('has vaults that load no code and never evaluate text', () => {
    for (const text of [vault, exportVault, importVault])
      expect(
        text.match(/\bimport\s*[("'{*]|importScripts|\bexport\s*\{|\beval\s*\(|new Function\b/),
      ).toBeNull()
  })

  it('has vaults without network APIs in their own code', () => {
    // 'fetch' alone is a word of the BIP-39 list.
    for (const text of [vault, exportVault, importVault])
      expect(
        text.match(/\bfetch\s*\(|XMLHttpRequest|WebSocket|EventSource|sendBeacon|new Worker|RTCPeer/),
      ).toBeNull()
  })

  it('contains no key derivation code in the pages', () => {
    // A BIP-39 word, the order of secp256k1, and a table of the sharing library.
    for (const trace of ['kangaroo', 'baaedce6af48a03bbfd25e8cd0364141', '145,16,208,54']) {
      expect([trace, vault.includes(trace), script.includes(trace)]).toEqual([trace, true, false])
    }
  })
})
