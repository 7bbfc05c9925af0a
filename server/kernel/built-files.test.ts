import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { watchBuiltFolder } from './built-files.ts'

test('a build with the time 0, as in a reproducible image, is served', ({ onTestFinished }) => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-built-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'index.html'), '<p>Dialog</p>')
  utimesSync(join(folder, 'index.html'), 0, 0)
  expect(watchBuiltFolder(folder, 'index.html').page('/index.html')).toBe('<p>Dialog</p>')
})
