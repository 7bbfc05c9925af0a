import { LatchkeyError } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import { makeFakeClock, settle } from '../testing/clock.ts'
import { makeFakeNetwork } from '../testing/network.ts'
import { type Attempt, withRetries } from './retries.ts'

const makePorts = () => ({ clock: makeFakeClock(), network: makeFakeNetwork() })
const error = new LatchkeyError('missing_or_invalid_token', 'Old proof')

test('retries a corrected request at once, twice at most', async () => {
  let attempts = 0
  const attemptOnce = async (): Promise<Attempt> => {
    attempts += 1
    return { result: 'refused', error, again: 'at once' }
  }
  await expect(
    withRetries(makePorts(), { retries: 3, signal: undefined, onNetwork: undefined }, attemptOnce),
  ).rejects.toBe(error)
  expect(attempts).toBe(3)
})

test('makes no attempt if the caller has aborted', async () => {
  const gone = new LatchkeyError('call_cancelled', 'Gone')
  const attemptOnce = async () => expect.unreachable('nobody waits for it')
  const options = { retries: 3, signal: AbortSignal.abort(gone), onNetwork: undefined }
  await expect(withRetries(makePorts(), options, attemptOnce)).rejects.toBe(gone)
})

describe('without a network', () => {
  const lost = new LatchkeyError('server_unreachable', 'The server could not be reached.')

  test("reports a user's call as offline, delays it, and continues by itself", async () => {
    const ports = makePorts()
    const told: boolean[] = []
    const patience = {
      retries: 3,
      signal: undefined,
      onNetwork: (offline: boolean) => void told.push(offline),
    }
    let attempts = 0
    ports.network.goOffline()
    const call = withRetries(ports, patience, async () => {
      attempts += 1
      return { result: 'answered', data: 'sent' }
    })
    await settle()
    expect([told, attempts]).toEqual([[true], 0])
    ports.network.comeBack()
    expect(await call).toBe('sent')
    expect([told, attempts]).toEqual([[true, false], 1])
  })

  test('does not count an attempt that was lost with the network', async () => {
    const ports = makePorts()
    let attempts = 0
    const call = withRetries(
      ports,
      { retries: 0, signal: undefined, onNetwork: () => {} },
      async (): Promise<Attempt> => {
        attempts += 1
        if (attempts > 1) return { result: 'answered', data: 'sent' }
        ports.network.goOffline()
        return { result: 'refused', error: lost, again: 'later' }
      },
    )
    await settle()
    ports.network.comeBack()
    expect(await call).toBe('sent')
  })

  test('makes no attempt for an aborted call', async () => {
    const ports = makePorts()
    ports.network.goOffline()
    const caller = new AbortController()
    const told: boolean[] = []
    const call = withRetries(
      ports,
      { retries: 3, signal: caller.signal, onNetwork: (offline) => void told.push(offline) },
      async () => expect.unreachable('it was taken back'),
    )
    const gone = new LatchkeyError('call_cancelled', 'Taken back')
    caller.abort(gone)
    await expect(call).rejects.toBe(gone)
    expect(told).toEqual([true, false])
  })

  test('attempts a background call and lets it fail', async () => {
    const ports = makePorts()
    ports.network.goOffline()
    const patience = { retries: 0, signal: undefined, onNetwork: undefined }
    const call = withRetries(ports, patience, async () => ({
      result: 'refused',
      error: lost,
      again: 'later',
    }))
    await expect(call).rejects.toBe(lost)
  })
})
