import { LatchkeyError } from '@latchkey/protocol'
import { expect, test } from 'vitest'
import { settle } from '../testing/clock.ts'
import { showShell } from './show-shell.ts'

function setUp() {
  let isOpen = false
  let tell = () => {}
  const asked: PromiseWithResolvers<void>[] = []
  const log: string[] = []
  function see(open: boolean) {
    isOpen = open
    tell()
  }
  showShell({
    isOpen: () => isOpen,
    watch(run) {
      tell = run
    },
    mount() {
      const mounting = Promise.withResolvers<void>()
      asked.push(mounting)
      return mounting.promise
    },
    onMissing({ code }) {
      log.push(code)
      see(false)
    },
  })
  return {
    asked,
    log,
    see,
    async fail() {
      asked.at(-1)?.reject(new LatchkeyError('server_unreachable', 'The dialog could not be loaded.'))
      await settle()
    },
  }
}

test('fails the waiting flow with a code if the shell does not load, and retries for the next', async () => {
  const { asked, log, see, fail } = setUp()
  see(true)
  expect(asked).toHaveLength(1)
  await fail()
  expect(log).toEqual(['server_unreachable'])
  see(true)
  expect(asked).toHaveLength(2)
  await fail()
  expect(log).toEqual(['server_unreachable', 'server_unreachable'])
})

test('ignores a failed load of the shell while nothing is open', async () => {
  const { asked, log, see, fail } = setUp()
  await fail()
  expect(log).toEqual([])
  see(true)
  expect(asked).toHaveLength(2)
})

test('loads the shell only once', async () => {
  const { asked, log, see } = setUp()
  asked[0]?.resolve()
  await settle()
  for (const open of [true, false, true]) see(open)
  expect(asked).toHaveLength(1)
  expect(log).toEqual([])
})
