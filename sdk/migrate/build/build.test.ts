import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

const sources = join(import.meta.dirname, '..')
const example = join(sources, 'examples/embedded-wallet')

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-migrate-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const runNode = (...args: string[]) => execFileSync(process.execPath, args, { encoding: 'utf8' })

test('the built command migrates a file without any package beside it, and contains its licenses', () => {
  const dist = join(folder, 'dist')
  runNode(join(sources, 'build/build.ts'), dist)
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  cpSync(join(example, 'before.tsx'), join(folder, 'app.tsx'))

  runNode(join(dist, 'command-line/bin.js'), 'privy', join(folder, 'app.tsx'))

  expect(readFileSync(join(folder, 'app.tsx'), 'utf8')).toBe(readFileSync(join(example, 'after.tsx'), 'utf8'))
  expect(readFileSync(join(dist, 'licenses.md'), 'utf8')).toContain('@babel/parser')
})
