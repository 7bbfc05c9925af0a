import { expect, test } from 'vitest'
import { withCall } from './one-more-call.ts'

const rows = 'const lazyCalls: Rows = { signMessage: signature }'

test('a row is written where the rows of calls stand', () => {
  const { plugin, refuseIfMissing } = withCall('fly')
  expect(plugin.transform(rows, '/x/loader/client/calls.ts')?.code).toContain(
    '{ fly: withoutCard, signMessage:',
  )
  expect(refuseIfMissing).not.toThrow()
})

test('rows that stand elsewhere are an error, and not a call that costs nothing', () => {
  const { plugin, refuseIfMissing } = withCall('fly')
  expect(plugin.transform(rows, '/x/loader/moved.ts')).toBeUndefined()
  expect(refuseIfMissing).toThrow('loader/client/calls.ts')
})
