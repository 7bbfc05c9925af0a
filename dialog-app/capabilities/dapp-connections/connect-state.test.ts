import { describe, expect, test } from 'vitest'
import { playing } from '../../testing/machine.ts'
import { type ConnectEvent, connectStep, openOffer, unlinked } from './connect-state.ts'
import type { Offer, Proposed } from './connections.ts'
import { refusals } from './refusals.ts'

const after = playing(connectStep)
const requester = { name: 'Tide Market', url: 'https://market.tides.example' }
const makeOffer = () => ({ requester }) as Offer
const offer = makeOffer()
const earlier = makeOffer()
const link = { is: 'link', uri: 'wc:1@2', topic: '1' } as const
const impossible: Proposed = {
  is: 'impossible',
  requester,
  lack: 'chains',
  names: ['eip155:250'],
  refusal: refusals.chains,
}

const toPairing: readonly ConnectEvent[] = [{ type: 'begin' }, { type: 'pasted', link }]
const proposed = (what: Proposed): readonly ConnectEvent[] => [
  ...toPairing,
  { type: 'proposed', proposed: what },
]
const toOffered = proposed({ is: 'offer', offer })
const toConnecting: readonly ConnectEvent[] = [...toOffered, { type: 'accept' }]
const toExpired: readonly ConnectEvent[] = [...toOffered, { type: 'expired', offer }]
const toFailed: readonly ConnectEvent[] = [...toConnecting, { type: 'not accepted' }]

describe('the machine that connects a dapp', () => {
  test.each([
    ['follows a link', toPairing, { at: 'pairing' }, [{ type: 'pair', link }]],
    [
      'says what is wrong with a link, and follows none',
      [{ type: 'begin' }, { type: 'pasted', link: { is: 'problem', problem: 'expired' } }],
      { at: 'link', problem: 'expired' },
      [],
    ],
    [
      'says why nothing came of a link',
      proposed({ is: 'problem', problem: 'silent' }),
      { at: 'link', problem: 'silent' },
      [],
    ],
    ['says what the wallet lacks', proposed(impossible), { at: 'impossible', proposed: impossible }, []],
    [
      'shows an offer for as long as its dapp waits',
      toOffered,
      { at: 'offered', offer },
      [{ type: 'watch expiry', offer }],
    ],
    ['accepts it', toConnecting, { at: 'connecting', offer }, [{ type: 'accept', offer }]],
    [
      'ends with the name of the dapp',
      [...toConnecting, { type: 'accepted', name: 'Tide Market' }],
      { at: 'connecting' },
      [{ type: 'end', ending: { type: 'done', value: 'Tide Market' } }],
    ],
    ['says that the dapp does not hear of it', toFailed, { at: 'failed', requester }, []],
    ['says that the offer has expired', toExpired, { at: 'expired', requester }, []],
    [
      'refuses an offer whose user tries another link',
      [...toOffered, { type: 'again' }],
      { at: 'link', problem: undefined },
      [{ type: 'refuse', offer }],
    ],
    [
      'refuses nothing that has expired',
      [...toExpired, { type: 'again' }],
      { at: 'link', problem: undefined },
      [],
    ],
    [
      'refuses an offer whose user leaves',
      [...toOffered, { type: 'leave' }],
      { at: 'offered' },
      [
        { type: 'refuse', offer },
        { type: 'end', ending: { type: 'done', value: undefined } },
      ],
    ],
    [
      'is left from where nothing is open',
      [...toFailed, { type: 'leave' }],
      { at: 'failed' },
      [{ type: 'end', ending: { type: 'done', value: undefined } }],
    ],
  ] satisfies readonly (readonly [string, readonly ConnectEvent[], object, readonly object[]])[])(
    '%s',
    (_, events, phase, effects) => {
      const played = after(unlinked, ...events)
      expect(played.phase).toMatchObject(phase)
      expect(played.effects).toEqual(effects)
    },
  )

  test.each([
    ['a second link while one is followed', toPairing, { type: 'pasted', link }],
    ['the end of another offer', toOffered, { type: 'expired', offer: earlier }],
    ['the end of an offer that was accepted', toConnecting, { type: 'expired', offer }],
    ['a second yes', toConnecting, { type: 'accept' }],
    ['a yes to what has expired', toExpired, { type: 'accept' }],
    ['a yes to what is impossible', proposed(impossible), { type: 'accept' }],
  ] satisfies readonly (readonly [string, readonly ConnectEvent[], ConnectEvent])[])(
    'is not changed by %s',
    (_, events, event) => {
      const { state } = after(unlinked, ...events)
      expect(connectStep(state, event)).toEqual([state])
      expect(connectStep(state, event)[0]).toBe(state)
    },
  )

  test('has an offer to refuse where its user was asked and has not answered', () => {
    expect(openOffer(after(unlinked, ...toOffered).state)).toBe(offer)
    for (const events of [toPairing, toConnecting, toExpired, toFailed]) {
      expect(openOffer(after(unlinked, ...events).state)).toBeUndefined()
    }
  })
})
