import type { SignableRequest } from '@latchkey/protocol/wallet'
import { describe, expect, test } from 'vitest'
import { confirmedIn } from '../testing/fixture.ts'
import { walletAddress } from '../testing/fixtures.ts'
import type { Confirmed } from './confirmed.ts'
import type { Operations } from './operations.ts'
import { createSignStep } from './sign-step.ts'

const request: SignableRequest = { method: 'personal_sign', params: ['0x01', walletAddress] }

/** A step that is lost on its way and begun anew, once: its handles, and what was put for it. */
function beginTwice(answers: readonly Confirmed[], confirmation?: Confirmed) {
  const handles: string[] = []
  const puts: unknown[] = []
  const runStep: Operations['runStep'] = async ({ confirmation: handle }) => {
    for (let time = 0; time < 2; time += 1) handles.push((await handle?.())?.handle ?? '')
    return undefined as never
  }
  const signStep = createSignStep({
    operations: { runStep } as Operations,
    readiness: { prepare: () => {}, take: async () => undefined, drop: () => {} },
    async confirm(_address, _request, asker) {
      puts.push(asker?.place)
      const answer = answers[puts.length - 1]
      if (!answer) throw new Error('Nothing more is put')
      return answer
    },
  })
  const run = async () => undefined
  const outcome = signStep({ address: walletAddress, request, ...(confirmation && { confirmation }) }, run)
  return { outcome, handles, puts }
}

// spec W6.2
describe('a step that nobody was asked for, and that is begun anew', () => {
  const silent = confirmedIn('silent', { handle: 'first' })

  test('goes on under a new handle where nobody has to be asked still', async () => {
    const { outcome, handles, puts } = beginTwice([confirmedIn('silent', { handle: 'second' })], silent)
    await outcome
    expect(handles).toEqual(['first', 'second'])
    expect(puts).toEqual(['silent'])
  })

  test.each(['frame', 'page'] as const)('is over where the server says %s by now', async (place) => {
    const { outcome, handles } = beginTwice([confirmedIn(place, { handle: 'second' })], silent)
    await expect(outcome).rejects.toMatchObject({ code: 'approval_required_elsewhere' })
    expect(handles).toEqual(['first'])
  })
})

test('a step that was approved on the card is begun anew under a new handle', async () => {
  const approved = confirmedIn('frame', { handle: 'first' })
  const { outcome, handles, puts } = beginTwice([confirmedIn('frame', { handle: 'second' })], approved)
  await outcome
  expect(handles).toEqual(['first', 'second'])
  expect(puts).toEqual(['frame'])
})

test('a step that was approved on a card whose browser can not tell what covers it is begun anew as that', async () => {
  const approved = confirmedIn('unseen', { handle: 'first' })
  const { outcome, handles, puts } = beginTwice([confirmedIn('unseen', { handle: 'second' })], approved)
  await outcome
  expect(handles).toEqual(['first', 'second'])
  expect(puts).toEqual(['unseen'])
})
