import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { AwaitingScreen, type Step } from './awaiting-screen.tsx'

const wallet = { key: 'rainbow', name: 'Rainbow' }
const shown = (step: Step, appLink?: string) =>
  renderToStaticMarkup(<AwaitingScreen state={{ wallet, step, appLink }} send={() => {}} />)

test.each(['sign', 'switching'] as const)('leads back to the app of a wallet that is asked: %s', (status) => {
  const link = 'https://rnbwapp.com/wc'
  expect(shown({ status }, link)).toMatch(/<a [^>]*href="https:\/\/rnbwapp\.com\/wc"[^>]*>Open Rainbow</)
  expect(shown({ status })).not.toContain('Open Rainbow')
})

// spec L4.29
test('waits for the wallet by its name', () => {
  expect(shown({ status: 'connecting' })).toMatch(/>Waiting for Rainbow</)
})

test('leads nowhere once the wallet has signed', () => {
  expect(shown({ status: 'signing' }, 'https://rnbwapp.com/wc')).not.toContain('Open Rainbow')
})
