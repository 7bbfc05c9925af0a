import type { SignableRequest } from '@latchkey/protocol/wallet'
import { describe, expect, test } from 'vitest'
import { confirmedIn } from '../testing/fixture.ts'
import { walletAddress } from '../testing/fixtures.ts'
import type { ConfirmedRequest } from './confirmed.ts'
import type { Operations } from './operations.ts'
import { createSignStep } from './sign-step.ts'

const request: SignableRequest = { method: 'personal_sign', params: ['0x01', walletAddress] }

/** Runs a signing step that is lost and retried once. Returns its handles and the put requests. */
function beginTwice(answers: readonly ConfirmedRequest[], confirmation?: ConfirmedRequest) {
  const handles: string[] = []
  const puts: unknown[] = []
  const runStep: Operations['runStep'] = async ({ confirmation: handle }) => {
    for (let time = 0; time < 2; time += 1) handles.push((await handle?.())?.handle ?? '')
    return undefined as never
  }
  const signStep = createSignStep({
    operations: { runStep } as Operations,
    readiness: { prepare: () => {}, take: async () => undefined, drop: () => {} },
    async confirm(_address, _request, options) {
      puts.push(options?.place)
      const answer = answers[puts.length - 1]
      if (!answer) throw new Error('No further put was expected')
      return answer
    },
  })
  const run = async () => undefined
  const outcome = signStep({ address: walletAddress, request, ...(confirmation && { confirmation }) }, run)
  return { outcome, handles, puts }
}

// spec W6.2
describe('step without user approval that is retried', () => {
  const silent = confirmedIn('silent', { handle: 'first' })

  test('retries under a new handle if the server still allows silent signing', async () => {
    const { outcome, handles, puts } = beginTwice([confirmedIn('silent', { handle: 'second' })], silent)
    await outcome
    expect(handles).toEqual(['first', 'second'])
    expect(puts).toEqual(['silent'])
  })

  test.each(['frame', 'page'] as const)('fails if the server now requires the %s', async (place) => {
    const { outcome, handles } = beginTwice([confirmedIn(place, { handle: 'second' })], silent)
    await expect(outcome).rejects.toMatchObject({ code: 'approval_required_elsewhere' })
    expect(handles).toEqual(['first'])
  })
})

test('retries a step that was approved on the card under a new handle', async () => {
  const approved = confirmedIn('frame', { handle: 'first' })
  const { outcome, handles, puts } = beginTwice([confirmedIn('frame', { handle: 'second' })], approved)
  await outcome
  expect(handles).toEqual(['first', 'second'])
  expect(puts).toEqual(['frame'])
})

test('keeps the surface for cards without visibility reports when it retries', async () => {
  const approved = confirmedIn('unseen', { handle: 'first' })
  const { outcome, handles, puts } = beginTwice([confirmedIn('unseen', { handle: 'second' })], approved)
  await outcome
  expect(handles).toEqual(['first', 'second'])
  expect(puts).toEqual(['unseen'])
})
