import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { missingFiles } from './missing-files.ts'
import { packages } from './packages.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-incomplete-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const manifest = {
  exports: {
    '.': { 'latchkey-source': './index.ts', types: './dist/index.d.ts', default: './dist/index.js' },
  },
  bin: { tool: './dist/bin.js' },
  files: ['dist', '!dist/*.br', 'README.md'],
}
const complete = {
  'package.json': JSON.stringify(manifest),
  'README.md': '',
  'dist/index.js': `import { a } from './a.js'\nexport const load = () => import('./lazy.js')`,
  'dist/a.js': `import { join } from 'node:path'`,
  'dist/lazy.js': '',
  'dist/index.d.ts': `export type { A } from './types/a.js'\nexport type B = import("./b.ts").B`,
  'dist/types/a.d.ts': '',
  'dist/b.d.ts': '',
  'dist/bin.js': '',
}
function write(files: Readonly<Record<string, string>>) {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
}

test('a package with every file of its manifest and their imports is complete', () => {
  write(complete)
  expect(missingFiles(folder)).toEqual([])
})

test.each(Object.keys(complete).filter((name) => name !== 'package.json'))(
  'a package without %s is incomplete',
  (name) => {
    write(complete)
    rmSync(join(folder, name))
    expect(missingFiles(folder)).toEqual([name])
  },
)

test('npm checks every package that has a build before it packs it', () => {
  const built = packages().filter(({ manifest }) => manifest.files && manifest.scripts?.build)
  expect(built.map(({ folder: name }) => name)).toEqual([
    ...['loader', 'sdk/server', 'sdk/migrate', 'sdk/sandbox', 'sdk/testing'],
  ])
  for (const { folder: name, manifest } of built) {
    expect(manifest.scripts?.prepack, name).toMatch(/^node (?:\.\.\/)+scripts\/builds\/check-package\.ts$/)
  }
})
