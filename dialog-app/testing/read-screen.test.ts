import { expect, test } from 'vitest'
import { textsIn } from './read-screen.ts'

test('a text is that of a whole element, its inner ones included', () => {
  const markup =
    '<div><p>Sent to <bdi>a&amp;b</bdi>.</p><img alt="Cairn"/><button aria-label="Close">x</button></div>'
  expect(textsIn(markup)).toEqual(['a&b', 'Sent to a&b.', 'Cairn', 'Close', 'x', 'Sent to a&b.x'])
})
