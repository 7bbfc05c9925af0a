import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import type { ConnectionStep } from '../connection/connection-state.ts'
import type { WalletProblem } from '../problem.ts'
import { anyAtRelay } from '../sources/offered-wallets.ts'
import { AwaitingView } from './awaiting-screen.tsx'
import { WalletRow } from './wallet-row.tsx'

const wallet = { key: 'rainbow', name: 'Rainbow' }
const ignore = () => {}
const actions = { onRetry: ignore, onOther: ignore, onInstall: ignore }
const shown = (step: ConnectionStep, appLink?: string) =>
  renderToStaticMarkup(<AwaitingView wallet={wallet} step={step} appLink={appLink} {...actions} />)

test.each(['sign', 'switching'] as const)(
  'links to the app of the wallet while it is asked: %s',
  (status) => {
    const link = 'https://rnbwapp.com/wc'
    expect(shown({ status }, link)).toMatch(/<a [^>]*href="https:\/\/rnbwapp\.com\/wc"[^>]*>Open Rainbow</)
    expect(shown({ status })).not.toContain('Open Rainbow')
  },
)

// spec L4.29
test('waits for the wallet by its name', () => {
  expect(shown({ status: 'connecting' })).toMatch(/>Waiting for Rainbow</)
})

test('has no link after the signature', () => {
  expect(shown({ status: 'signing' }, 'https://rnbwapp.com/wc')).not.toContain('Open Rainbow')
})

describe('WalletConnect, which is not a wallet', () => {
  const read = (step: ConnectionStep) =>
    renderToStaticMarkup(<AwaitingView wallet={anyAtRelay} step={step} {...actions} />)
      .split(/<[^>]*>/)
      .filter((text) => text !== '')
  const meeting = { uri: 'wc:1', link: undefined, canInstall: false }

  test.each<[ConnectionStep, readonly string[]]>([
    [
      { status: 'connecting' },
      ['Waiting for your wallet on your phone', 'Open your wallet on your phone and allow the connection.'],
    ],
    [{ status: 'switching' }, ['Allow your wallet on your phone to switch to a network that this app uses.']],
    [{ status: 'success' }, ['Your wallet on your phone has confirmed who you are.']],
    [{ status: 'connected' }, ['Your wallet on your phone is connected to this page.']],
    [{ status: 'paid' }, ['Your wallet on your phone has sent it.']],
    [
      { status: 'failed', problem: 'timedOut', isRepeated: false },
      ['Your wallet on your phone did not respond in time. Open it, then try again.'],
    ],
    [
      { status: 'connecting', meeting },
      ['Scan the code with the wallet on your phone, and allow the connection.'],
    ],
  ])('%j', (step, words) => {
    const all = read(step).join(' ')
    for (const each of words) expect(all).toContain(each)
    expect(all).not.toContain('WalletConnect')
  })

  test('has a row with the hint that the wallet is on a phone', () => {
    const row = renderToStaticMarkup(<WalletRow wallet={anyAtRelay} isLastUsed={false} onChoose={ignore} />)
    expect(row.split(/<[^>]*>/).filter((text) => text !== '')).toEqual([
      'WalletConnect',
      'On your phone',
      'Connect',
    ])
  })
})

test('a rejected connection looks calm, and a failed one does not', () => {
  const sealOf = (problem: WalletProblem) =>
    /data-status="(\w+)"/.exec(shown({ status: 'failed', problem, isRepeated: false }))?.[1]
  expect(sealOf('rejected')).toBe('stopped')
  expect(sealOf('timedOut')).toBe('failed')
})
