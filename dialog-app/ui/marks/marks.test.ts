import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { socialProviders } from '@latchkey/protocol'
import { expect, test } from 'vitest'
import { socialProviderMarks } from './brands/social-providers.ts'

const folder = join(import.meta.dirname, 'brands')
const aMark = expect.arrayContaining([expect.objectContaining({ path: expect.any(String) })])

test('has a mark for every OAuth provider and for nothing else', () => {
  expect(Object.keys(socialProviderMarks).toSorted()).toEqual(socialProviders.toSorted())
  for (const mark of Object.values(socialProviderMarks)) expect(mark).toEqual(aMark)
})

test.each(readdirSync(folder))('exports only marks from %s', async (file) => {
  const held: Readonly<Record<string, unknown>> = await import(join(folder, file))
  const { socialProviderMarks: byProvider = {}, ...single } = held
  const marks = [...Object.values(Object(byProvider)), ...Object.values(single)]
  expect(marks).not.toEqual([])
  for (const mark of marks) expect(mark).toEqual(aMark)
})
