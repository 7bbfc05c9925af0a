/** Which answers a caller accepts. The other window uses penpal and sends whatever the test needs. */
import { connect, WindowMessenger } from 'penpal'
import * as v from 'valibot'
import { afterEach, expect, it } from 'vitest'
import { LatchkeyError } from '../errors/errors.ts'
import { makeWindowPair, runInWindow } from '../testing/windows.ts'
import type { Contract, ReceivedMessages } from './contract.ts'
import { openChannel } from './open.ts'

const row = { policy: 'headless', deadlineMs: 2_000 } as const
const contract = {
  name: 'test',
  parent: {},
  child: { echo: row, large: { ...row, maxBytes: 256 * 1024 } },
} as const satisfies Contract
const text = v.object({ text: v.string() })
const parentMessages = { calls: {}, answers: { echo: text, large: text } } as const satisfies ReceivedMessages

type Asked = { id: string; event: string }
const opened: { destroy(): void }[] = []
afterEach(() => {
  for (const one of opened.splice(0)) one.destroy()
})

/** Returns the outcome of a call with this answer. */
async function believed(name: 'echo' | 'large', answer: (asked: Asked) => unknown): Promise<unknown> {
  const [parentOrigin, childOrigin] = ['https://app.example', 'https://dialog.example']
  const { parent, child } = makeWindowPair(parentOrigin, childOrigin)
  const host = runInWindow(parent, () =>
    openChannel<
      typeof parentMessages,
      { calls: { echo: typeof text; large: typeof text }; answers: Record<never, never> }
    >({
      contract,
      side: 'parent',
      receives: parentMessages,
      target: { window: child.asWindow, origin: childOrigin },
      handlers: {},
    }),
  )
  const other = runInWindow(child, () =>
    connect({
      messenger: new WindowMessenger({ remoteWindow: parent.asWindow, allowedOrigins: [parentOrigin] }),
      channel: 'latchkey:test',
      methods: { call: (asked: Asked) => answer(asked) },
    }),
  )
  opened.push(host, other)
  return host.call(name, { text: 'x' }).catch((error: unknown) => {
    if (error instanceof LatchkeyError) return error.code
    throw error
  })
}

it('accepts an answer with the id and event of the call', async () => {
  expect(await believed('echo', ({ id, event }) => ({ id, event, data: { text: 'y' } }))).toEqual({
    text: 'y',
  })
})

it.each<[string, (asked: Asked) => unknown]>([
  ['another id', ({ event }) => ({ id: 'another', event, data: { text: 'y' } })],
  ['another event', ({ id }) => ({ id, event: 'latchkey:large', data: { text: 'y' } })],
  ['no id', ({ event }) => ({ event, data: { text: 'y' } })],
  ['no data', ({ id, event }) => ({ id, event })],
  ['data of another form', ({ id, event }) => ({ id, event, data: { text: 7 } })],
  ['an error without a message', ({ id, event }) => ({ id, event, error: { type: 'error' } })],
  ['nothing', () => undefined],
])('rejects an answer with %s', async (_name, answer) => {
  expect(await believed('echo', answer)).toBe('invalid_answer')
})

it('accepts answers of up to 64 KB, or the limit of the call', async () => {
  const large = ({ id, event }: Asked) => ({ id, event, data: { text: 'x'.repeat(70_000) } })
  expect(await believed('echo', large)).toBe('message_too_large')
  expect(await believed('large', large)).toEqual({ text: 'x'.repeat(70_000) })
  const larger = ({ id, event }: Asked) => ({ id, event, data: { text: 'x'.repeat(270_000) } })
  expect(await believed('large', larger)).toBe('message_too_large')
})

it('rejects answers that are not plain data or deeper than 16 levels', async () => {
  const withMore = (more: unknown) => (asked: Asked) => ({ ...asked, data: { text: 'y', more } })
  expect(await believed('echo', withMore(new Map()))).toBe('invalid_message_envelope')
  let deep: unknown = 'x'
  for (let level = 0; level < 17; level += 1) deep = [deep]
  expect(await believed('echo', withMore(deep))).toBe('message_too_large')
})

it('keeps the code of an error, even an unknown one', async () => {
  const refused = (type: string) => (asked: Asked) => ({ ...asked, error: { type, message: 'No' } })
  expect(await believed('echo', refused('not_visible'))).toBe('not_visible')
  expect(await believed('echo', refused('of_a_later_release'))).toBe('of_a_later_release')
})
