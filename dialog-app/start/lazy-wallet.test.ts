import { LatchkeyError } from '@latchkey/protocol'
import { expect, test } from 'vitest'
import { settle } from '../testing/clock.ts'
import { makeFakeWallet } from '../testing/fixture.ts'
import { lazyWallet } from './lazy-wallet.ts'

test('loads the wallet code once, on first use', async () => {
  const wallet = makeFakeWallet()
  let loads = 0
  const lazy = lazyWallet(async () => {
    loads += 1
    return wallet
  })
  expect(lazy.loginVault()).toBeUndefined()
  await settle()
  expect(loads).toBe(0)
  lazy.prepareOperation()
  await lazy.connect('0x')
  expect(wallet.log).toEqual(['prepareOperation', 'connect'])
  expect(loads).toBe(1)
})

test('ignores a failed load during preparation, and retries on use', async () => {
  const wallet = makeFakeWallet()
  const answers = [
    Promise.reject(new LatchkeyError('server_unreachable', 'no line')),
    Promise.resolve(wallet),
  ]
  const lazy = lazyWallet(() => answers.shift() ?? Promise.resolve(wallet))
  lazy.prepare()
  await settle()
  await lazy.connect('0x')
  expect(wallet.log).toEqual(['connect'])
})
