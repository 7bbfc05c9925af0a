import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const files = readdirSync(import.meta.dirname).filter(
  (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
)

test.each(files)('%s holds one mark, of shapes, and nothing else', async (file) => {
  const drawings: readonly unknown[] = Object.values(await import(join(import.meta.dirname, file)))
  expect(drawings).toHaveLength(1)
  const shape = { path: expect.any(String) }
  expect(drawings[0]).toEqual(expect.arrayContaining([expect.objectContaining(shape)]))
})
