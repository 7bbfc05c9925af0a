/** What the other packages build, as small as it can be. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const page = `<!doctype html>
<html lang="en"><head>
<script type="application/json" id="latchkey-config">{}</script>
<script type="module" crossorigin src="/assets/index-Ab3_x9Qz.js"></script>
</head><body></body></html>`

const files: Readonly<Record<string, string>> = {
  'dialog/dist/index.html': page,
  'dialog/dist/assets/index-Ab3_x9Qz.js': 'console.log("dialog");'.repeat(100),
  'dialog/dist/.vite/manifest.json': '{}',
  'dialog/dist/favicon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  'wallet/dist/index.html': page,
  'wallet/dist/assets/index-Ab3_x9Qz.js': 'console.log("wallet");'.repeat(100),
  'wallet/dist/vault-Zz3_x9Qz.js': 'postMessage(1);'.repeat(100),
  'loader/package.json': '{"version":"1.2.3"}',
  'loader/dist/loader.js': 'window.latchkey={};'.repeat(100),
  'loader/releases/1.0.0/loader.js': 'window.latchkey={};// 1.0.0',
}

export function writeBuiltPages() {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-pages-'))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return {
    dialogDist: join(folder, 'dialog', 'dist'),
    walletDist: join(folder, 'wallet', 'dist'),
    loaderDist: join(folder, 'loader', 'dist'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
