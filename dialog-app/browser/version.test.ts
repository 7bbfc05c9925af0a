import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { dialogVersion } from './version.ts'

test('equals the package version', () => {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  expect(dialogVersion).toBe(manifest.version)
})
