import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { socialProviders } from '@latchkey/protocol'
import { expect, test } from 'vitest'
import { socialProviderMarks } from './brands/social-providers.ts'

const folder = join(import.meta.dirname, 'brands')
const aMark = expect.arrayContaining([expect.objectContaining({ path: expect.any(String) })])

test('every OAuth provider has a mark, and nobody else does', () => {
  expect(Object.keys(socialProviderMarks).toSorted()).toEqual(socialProviders.toSorted())
  for (const mark of Object.values(socialProviderMarks)) expect(mark).toEqual(aMark)
})

test.each(readdirSync(folder))('%s holds marks, of shapes, and nothing else', async (file) => {
  const held: Readonly<Record<string, unknown>> = await import(join(folder, file))
  const { socialProviderMarks: byProvider = {}, ...single } = held
  const marks = [...Object.values(Object(byProvider)), ...Object.values(single)]
  expect(marks).not.toEqual([])
  for (const mark of marks) expect(mark).toEqual(aMark)
})
