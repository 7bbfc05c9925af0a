import { LatchkeyError } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import { walletAccount } from '../testing/fixtures.ts'
import type { Verification } from './verification.ts'
import { createWalletCalls, type Remedy, type WalletObstacle } from './wallet-obstacles.ts'

const verification: Verification = { mfaMethod: 'totp', mfaCode: '123456' }
const meets = (code: WalletObstacle) => Promise.reject(new LatchkeyError(code, code))
const card = { signal: new AbortController().signal, interrupt: () => new Promise<never>(() => {}) }

function setUp({ helps = true, isDue = false } = {}) {
  const log: string[] = []
  const remedy = (obstacle: WalletObstacle, gives?: Verification): Remedy => ({
    obstacle,
    helps: () => helps,
    isDue: () => isDue && obstacle === 'missing_or_invalid_mfa',
    async overcome(call, callWallet) {
      log.push(`remedy ${obstacle}`)
      return callWallet({ ...call, call: (given) => call.call(gives ?? given) })
    },
  })
  const callWallet = createWalletCalls(async () => [
    remedy('wallet_not_on_device'),
    remedy('missing_or_invalid_mfa', verification),
  ])
  return { log, callWallet, caller: { event: 'wallet:rpc', account: walletAccount, card } as const }
}

/** Returns a wallet that rejects with each obstacle in turn, and then succeeds. */
function wallet(obstacles: WalletObstacle[], log: string[]) {
  return async (given: Verification | undefined) => {
    log.push(`call ${given?.mfaCode ?? 'bare'}`)
    const obstacle = obstacles.shift()
    return obstacle ? meets(obstacle) : 'answer'
  }
}

describe('wallet call', () => {
  test('runs once without an obstacle', async () => {
    const { callWallet, caller, log } = setUp()
    expect(await callWallet({ ...caller, call: wallet([], log) })).toBe('answer')
    expect(log).toEqual(['call bare'])
  })

  // spec W8.2
  test.each([
    ['Request failed with status code 429', 'too_many_requests'],
    ['Request failed with status code 500', 'error'],
    ['429', 'error'],
  ] as const)('maps the error "%s" to %s', async (message, code) => {
    const { callWallet, caller } = setUp()
    const call = () => Promise.reject(new LatchkeyError('error', message))
    await expect(callWallet({ ...caller, call })).rejects.toMatchObject({ code, message })
  })

  test('retries with the result of the remedy', async () => {
    const { callWallet, caller, log } = setUp()
    expect(await callWallet({ ...caller, call: wallet(['missing_or_invalid_mfa'], log) })).toBe('answer')
    expect(log).toEqual(['call bare', 'remedy missing_or_invalid_mfa', 'call 123456'])
  })

  test('recovers a missing wallet found during verification, and verifies again', async () => {
    const { callWallet, caller, log } = setUp()
    const obstacles: WalletObstacle[] = [
      'missing_or_invalid_mfa',
      'wallet_not_on_device',
      'missing_or_invalid_mfa',
    ]
    expect(await callWallet({ ...caller, call: wallet(obstacles, log) })).toBe('answer')
    expect(log).toEqual([
      'call bare',
      'remedy missing_or_invalid_mfa',
      'call 123456',
      'remedy wallet_not_on_device',
      'call bare',
      'remedy missing_or_invalid_mfa',
      'call 123456',
    ])
  })

  test('recovers a wallet that stays missing only once', async () => {
    const { callWallet, caller, log } = setUp()
    const obstacles: WalletObstacle[] = [
      'missing_or_invalid_mfa',
      'wallet_not_on_device',
      'missing_or_invalid_mfa',
      'wallet_not_on_device',
    ]
    await expect(callWallet({ ...caller, call: wallet(obstacles, log) })).rejects.toMatchObject({
      code: 'wallet_not_on_device',
    })
    expect(log.filter((each) => each === 'remedy wallet_not_on_device')).toHaveLength(1)
  })

  test('rejects if the same obstacle occurs again', async () => {
    const { callWallet, caller, log } = setUp()
    const always = wallet(['wallet_not_on_device', 'wallet_not_on_device'], log)
    await expect(callWallet({ ...caller, call: always })).rejects.toMatchObject({
      code: 'wallet_not_on_device',
    })
    expect(log).toEqual(['call bare', 'remedy wallet_not_on_device', 'call bare'])
  })

  test.each([
    ['another error', new LatchkeyError('share_mismatch', 'Not the share')],
    ['an unknown error', new Error('broken')],
  ])('rejects with %s without a remedy', async (_name, error) => {
    const { callWallet, caller, log } = setUp()
    await expect(callWallet({ ...caller, call: () => Promise.reject(error) })).rejects.toBe(error)
    expect(log).toEqual([])
  })

  test('rejects if no remedy applies', async () => {
    const { callWallet, caller, log } = setUp({ helps: false })
    const call = wallet(['wallet_not_on_device'], log)
    await expect(callWallet({ ...caller, call })).rejects.toMatchObject({ code: 'wallet_not_on_device' })
    expect(log).toEqual(['call bare'])
  })

  test('runs no remedy after the flow has ended', async () => {
    const { callWallet, caller, log } = setUp()
    const ended = { ...card, signal: AbortSignal.abort() }
    const call = wallet(['wallet_not_on_device'], log)
    await expect(callWallet({ ...caller, card: ended, call })).rejects.toMatchObject({
      code: 'wallet_not_on_device',
    })
    expect(log).toEqual(['call bare'])
  })
})

describe('call that requires verification first', () => {
  test('does not run without verification if the server is sure to require it', async () => {
    const { callWallet, caller, log } = setUp({ isDue: true })
    await callWallet({ ...caller, event: 'wallet:recover', call: wallet([], log) })
    expect(log).toEqual(['remedy missing_or_invalid_mfa', 'call 123456'])
  })

  test('runs at once if the user has no second factor', async () => {
    const { callWallet, caller, log } = setUp({ isDue: false })
    await callWallet({ ...caller, event: 'wallet:recover', call: wallet([], log) })
    expect(log).toEqual(['call bare'])
  })

  test('verifies once and rejects if the verified call is refused', async () => {
    const { callWallet, caller, log } = setUp({ isDue: true })
    const call = wallet(['missing_or_invalid_mfa'], log)
    await expect(callWallet({ ...caller, event: 'wallet:recover', call })).rejects.toMatchObject({
      code: 'missing_or_invalid_mfa',
    })
    expect(log).toEqual(['remedy missing_or_invalid_mfa', 'call 123456'])
  })

  test('is not mistaken for a call that is verified on demand', async () => {
    const { callWallet, caller, log } = setUp({ isDue: true })
    await callWallet({ ...caller, event: 'wallet:rpc', call: wallet([], log) })
    expect(log).toEqual(['call bare'])
  })
})
