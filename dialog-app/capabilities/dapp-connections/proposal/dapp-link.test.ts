import { expect, test } from 'vitest'
import { readLink } from './dapp-link.ts'

const nowMs = 1_800_000_000_000
const topic = 'a1'.repeat(32)
const key = `symKey=${'b2'.repeat(32)}`
const whole = `wc:${topic}@2?relay-protocol=irn&${key}`
const expiring = (seconds: number) => `${whole}&expiryTimestamp=${nowMs / 1_000 + seconds}`
const read = (text: string) => readLink(text, nowMs)

test.each([
  ['as it is copied', whole],
  ['with whitespace around it', `  ${whole}\n`],
  ['that expires in a second', expiring(1)],
  ['with slashes after the scheme', whole.replace('wc:', 'wc://')],
  ['inside a link to a wallet page', `https://wallet.example/wc?uri=${encodeURIComponent(whole)}`],
  ['inside a link to a wallet app', `rainbow://wc?uri=${encodeURIComponent(whole)}`],
])('accepts a link %s', (_how, text) => {
  expect(read(text)).toMatchObject({ is: 'link', topic, uri: expect.stringMatching(/^wc:a1/) })
})

test.each([
  ['', 'not-a-link'],
  ['https://market.tides.example', 'not-a-link'],
  ['wc:', 'not-a-link'],
  [`wc:${topic}@2`, 'not-a-link'],
  [`wc:${topic}@2?relay-protocol=irn`, 'not-a-link'],
  [`wc:${topic}@2?${key}`, 'not-a-link'],
  [`wc:${topic}@3?relay-protocol=irn&${key}`, 'not-a-link'],
  [`wc:${topic.slice(2)}@2?relay-protocol=irn&${key}`, 'not-a-link'],
  [`${whole}&x=${'x'.repeat(5_000)}`, 'not-a-link'],
  ['wc:8a5e5bdc-a0e4-4702-ba63-8f1a5655744f@1?bridge=https%3A%2F%2Fb.example&key=41', 'old-version'],
  [expiring(0), 'expired'],
  [expiring(-60), 'expired'],
])('rejects %j with the problem %s', (text, problem) => {
  expect(read(text)).toEqual({ is: 'problem', problem })
})
