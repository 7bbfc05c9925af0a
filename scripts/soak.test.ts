import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

test.each(['--help', '-h'])('soak %s prints what it takes, and begins nothing', (word) => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(import.meta.dirname, 'soak.mjs'), word],
    {
      encoding: 'utf8',
    },
  )
  expect([status, stderr]).toEqual([0, ''])
  expect(stdout).toContain('npm run soak -- --kills 100 [--engine sqlite|postgres|both]')
  expect(stdout).toContain('npm run soak -- --processes 3 [--minutes 3]')
  expect(stdout).not.toContain('Building')
})
