import { expect, test } from 'vitest'
import type { Settings } from '../../host/settings.ts'
import { makeFakeClock } from '../../testing/clock.ts'
import { makeFakeStore } from '../../testing/storage.ts'
import { createStoredBatches } from './stored-batches.ts'

const settings = { app: { id: 'app' }, hostOrigin: 'https://host.example' } as unknown as Settings

test('batches are forgotten after a day, and the oldest of more than twenty before that', async () => {
  const clock = makeFakeClock()
  const stored = createStoredBatches(makeFakeStore(), clock, settings)
  for (let position = 0; position < 21; position += 1) {
    stored.add({ id: `batch-${position}`, address: '0xA', chainId: 1, atMs: clock.nowMs(), entries: [] })
    await clock.advance(1_000)
  }
  expect(stored.find('batch-0', '0xa')).toBeUndefined()
  expect(stored.find('batch-1', '0xa')).toMatchObject({ id: 'batch-1' })
  await clock.advance(24 * 60 * 60 * 1_000 - 1_001)
  expect(stored.find('batch-20', '0xa')).toMatchObject({ id: 'batch-20' })
  await clock.advance(1)
  expect(stored.find('batch-20', '0xa')).toBeUndefined()
})
