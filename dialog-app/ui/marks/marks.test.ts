import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { socialProviders } from '@latchkey/protocol'
import { expect, test } from 'vitest'

const files = ['brands', 'providers'].flatMap((folder) =>
  readdirSync(join(import.meta.dirname, folder)).map((file) => join(folder, file)),
)

test('every OAuth provider has a mark', () => {
  for (const provider of socialProviders) expect(files).toContain(`providers/${provider}.ts`)
})

test.each(files)('%s holds one mark, of shapes, and nothing else', async (file) => {
  const drawings: readonly unknown[] = Object.values(await import(join(import.meta.dirname, file)))
  expect(drawings).toHaveLength(1)
  const shape = { path: expect.any(String) }
  expect(drawings[0]).toEqual(expect.arrayContaining([expect.objectContaining(shape)]))
})
