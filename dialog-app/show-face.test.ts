import { LatchkeyError } from '@latchkey/protocol'
import { atom, createStore } from 'jotai/vanilla'
import { expect, test } from 'vitest'
import { noWay } from './core/screen.ts'
import type { View } from './core/view.ts'
import { showFace } from './show-face.ts'
import { settle } from './testing/clock.ts'

const view = (open: boolean) => ({ open, header: noWay }) as View

function setUp() {
  const store = createStore()
  const viewAtom = atom(view(false))
  const asked: PromiseWithResolvers<void>[] = []
  const log: string[] = []
  showFace({
    core: {
      store,
      viewAtom,
      lose({ code }) {
        log.push(code)
        store.set(viewAtom, view(false))
      },
    },
    mount() {
      const mounting = Promise.withResolvers<void>()
      asked.push(mounting)
      return mounting.promise
    },
    onMissing: () => log.push('missing'),
  })
  return {
    asked,
    log,
    see: (open: boolean) => store.set(viewAtom, view(open)),
    async fail() {
      asked.at(-1)?.reject(new LatchkeyError('server_unreachable', 'The dialog could not be loaded.'))
      await settle()
    },
  }
}

test('a face that does not come fails who waits for it with a code, and is asked for again by the next', async () => {
  const { asked, log, see, fail } = setUp()
  see(true)
  expect(asked).toHaveLength(1)
  await fail()
  expect(log).toEqual(['server_unreachable', 'missing'])
  see(true)
  expect(asked).toHaveLength(2)
  await fail()
  expect(log).toEqual(['server_unreachable', 'missing', 'server_unreachable', 'missing'])
})

test('a face that does not come is nobody’s loss while nothing is open', async () => {
  const { asked, log, see, fail } = setUp()
  await fail()
  expect(log).toEqual([])
  see(true)
  expect(asked).toHaveLength(2)
})

test('a face that came is not asked for again', async () => {
  const { asked, log, see } = setUp()
  asked[0]?.resolve()
  await settle()
  for (const open of [true, false, true]) see(open)
  expect(asked).toHaveLength(1)
  expect(log).toEqual([])
})
