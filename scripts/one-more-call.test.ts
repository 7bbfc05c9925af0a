import { expect, test } from 'vitest'
import { withCall } from './one-more-call.mjs'

const names = "const more = { user_rejected_request: 'signMessage' }"

test('a name is written where the names of calls stand', () => {
  const { plugin, refuseIfMissing } = withCall('fly')
  expect(plugin.transform(names, '/x/loader/client/calls.ts')?.code).toContain(`'fly signMessage'`)
  expect(refuseIfMissing).not.toThrow()
})

test('names that stand elsewhere are an error, and not a call that costs nothing', () => {
  const { plugin, refuseIfMissing } = withCall('fly')
  expect(plugin.transform(names, '/x/loader/moved.ts')).toBeUndefined()
  expect(refuseIfMissing).toThrow('loader/client/calls.ts')
})
