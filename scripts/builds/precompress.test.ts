import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, expect, it } from 'vitest'
import { precompress, removeCompressed } from './precompress.ts'

const folder = mkdtempSync(join(tmpdir(), 'latchkey-precompress-'))
afterAll(() => rmSync(folder, { recursive: true }))

it('compressed copies are written beside scripts only, and removed for a local build', () => {
  const script = 'console.log("latchkey");'.repeat(50)
  const files = {
    'assets/a.js': script,
    'assets/tiny.js': '1',
    'index.html': script,
    'logo.png': script,
    '.vite/manifest.json': script,
  }
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  precompress(folder)
  const written = readdirSync(folder, { recursive: true }).map(String)
  expect(written.filter((name) => /\.(br|gz)$/.test(name)).sort()).toEqual([
    'assets/a.js.br',
    'assets/a.js.gz',
  ])
  expect(brotliDecompressSync(readFileSync(join(folder, 'assets/a.js.br'))).toString()).toBe(script)
  expect(gunzipSync(readFileSync(join(folder, 'assets/a.js.gz'))).toString()).toBe(script)
  removeCompressed(folder)
  expect(readdirSync(folder, { recursive: true }).map(String)).not.toContainEqual(
    expect.stringMatching(/\.(br|gz)$/),
  )
})
