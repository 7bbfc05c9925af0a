/** Minimal build output of the other packages. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { contentHash } from '../kernel/built-files.ts'

const page = `<!doctype html>
<html lang="en"><head>
<!--wallet-preconnect-->
<script type="application/json" id="latchkey-config">{}</script>
<script type="module" crossorigin src="/assets/index-Ab3_x9Qz.js"></script>
</head><body></body></html>`

const files: Readonly<Record<string, string>> = {
  'dialog/dist/index.html': page,
  'dialog/dist/passkey.html': page,
  'dialog/dist/assets/index-Ab3_x9Qz.js': 'console.log("dialog");'.repeat(100),
  'dialog/dist/.vite/manifest.json': '{}',
  'dialog/dist/.env.js': 'hidden',
  'dialog/dist/.last-release/assets/index-Older_9Q.js': 'console.log("older");'.repeat(100),
  'dialog/dist/.last-release/notes.js': 'no hash',
  'dialog/dist/notes.txt': 'not for browsers',
  'dialog/dist/favicon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  'dialog/secret.js': 'outside of the folder',
  'wallet/dist/index.html': page,
  'wallet/dist/assets/index-Ab3_x9Qz.js': 'console.log("wallet");'.repeat(100),
  'wallet/dist/vault-Zz3_x9Qz.js': 'postMessage(1);'.repeat(100),
  'wallet/dist/confirm/index.html': page,
  'wallet/dist/cross-app/index.html': page,
  'wallet/dist/export/index.html': page,
  'wallet/dist/export-vault-Yy3_x9Qz.js': 'postMessage(2);'.repeat(100),
  'wallet/dist/import/index.html': page,
  'wallet/dist/import-vault-Zz3_x9Qz.js': 'postMessage(3);'.repeat(100),
  'loader/dist/loader.js': 'window.latchkey={};'.repeat(100),
  'loader/dist/latchkey.js': 'export const createLatchkey=0;'.repeat(100),
  'loader/dist/loader-more.js': 'export const more={};'.repeat(100),
  'loader/dist/index.js': 'for npm',
  'loader/releases/1.0.0/loader.js': 'window.latchkey={};// 1.0.0',
  'loader/releases/1.1.0/loader.js': 'window.latchkey={};// 1.1.0',
  'loader/releases/1.1.0/loader-more.js': 'export const more={};// 1.1.0',
  [`loader/releases/${contentHash('window.latchkey={};// earlier')}/loader.js`]:
    'window.latchkey={};// earlier',
  [`loader/releases/${contentHash('altered')}/loader.js`]: 'window.latchkey={};// not what its folder says',
}

export function writeBuiltPages() {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-pages-'))
  for (const [name, text] of Object.entries(files)) {
    const file = join(folder, name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
    if (!file.endsWith('.js')) continue
    writeFileSync(`${file}.br`, brotliCompressSync(text))
    writeFileSync(`${file}.gz`, gzipSync(text))
  }
  return {
    dialogDist: join(folder, 'dialog', 'dist'),
    walletDist: join(folder, 'wallet', 'dist'),
    loaderDist: join(folder, 'loader', 'dist'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
