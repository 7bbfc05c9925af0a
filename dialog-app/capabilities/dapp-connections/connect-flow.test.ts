import { describe, expect, test } from 'vitest'
import { settle } from '../../testing/clock.ts'
import { makeFixture, watch } from '../../testing/fixture.ts'
import { walletAddress } from '../../testing/fixtures.ts'
import { connectFlow } from './connect-flow.ts'
import type { Offer, Proposed } from './connections.ts'
import { uri } from './testing.ts'

const requester = { name: 'Tide Market', url: 'https://market.tides.example' }

async function start(proposed?: Proposed | Promise<Proposed>) {
  const fixture = await makeFixture({})
  const links: string[] = []
  const did: string[] = []
  const offer: Offer = {
    requester,
    address: walletAddress,
    chainIds: [1, 8453],
    expiresAtMs: fixture.clock.nowMs() + 300_000,
    async accept() {
      did.push('accept')
      return { id: 'session-1', ...requester, sinceMs: 0, lastUsedMs: undefined }
    },
    refuse: () => void did.push('refuse'),
  }
  const ended = watch(
    fixture.stage.begin(
      connectFlow(fixture, {
        async propose(link) {
          links.push(link.uri)
          return (await proposed) ?? { is: 'offer', offer }
        },
      }),
    ),
  )
  await settle()
  const paste = (link: string) => fixture.press('CONNECT_DAPP_SCREEN', 'connect', link)
  return { ...fixture, offer, did, links, ended, paste }
}

describe('the link of a dapp', () => {
  test.each([
    ['https://market.tides.example', 'not-a-link', 'This is not a WalletConnect link.'],
    ['wc:8a5e5bdc@1?bridge=b&key=41', 'old-version', 'This link is for version 1'],
    [`${uri}&expiryTimestamp=1`, 'expired', 'This link has expired.'],
  ])('is told what is wrong with it, and nobody is asked: %s', async (link, problem, said) => {
    const fixture = await start()
    await fixture.paste(link)
    expect(fixture.state('CONNECT_DAPP_SCREEN')).toEqual({ status: 'asked', problem })
    expect((await fixture.texts()).join(' ')).toContain(said)
    expect(fixture.links).toEqual([])
  })

  test('that leads nowhere can be tried again', async () => {
    const fixture = await start({ is: 'problem', problem: 'silent' })
    await fixture.paste(uri)
    expect(fixture.state('CONNECT_DAPP_SCREEN')).toEqual({ status: 'asked', problem: 'silent' })
    await fixture.paste(uri)
    expect(fixture.links).toEqual([uri, uri])
  })

  test('is followed once, however often it is pressed', async () => {
    const fixture = await start(new Promise(() => {}))
    await fixture.paste(uri)
    await fixture.paste(uri)
    expect(fixture.state('CONNECT_DAPP_SCREEN')).toEqual({ status: 'pairing' })
    expect(fixture.links).toEqual([uri])
  })

  test('whose user has left meanwhile connects nothing', async () => {
    const answer = Promise.withResolvers<Proposed>()
    const fixture = await start(answer.promise)
    await fixture.paste(uri)
    await fixture.press('CONNECT_DAPP_SCREEN', 'leave')
    expect(fixture.ended).toMatchObject({ settled: true, value: undefined })
    answer.resolve({ is: 'offer', offer: fixture.offer })
    await settle()
    expect(fixture.did).toEqual(['refuse'])
  })
})

describe('a dapp that wants the wallet', () => {
  async function offered() {
    const fixture = await start()
    await fixture.paste(uri)
    return fixture
  }

  test('is shown as it says itself, with what it gets, and connected when its user agrees', async () => {
    const fixture = await offered()
    expect(fixture.state('DAPP_PROPOSAL_SCREEN')).toEqual({
      status: 'asked',
      ...requester,
      address: walletAddress,
      networks: ['Ethereum', 'Base'],
    })
    expect((await fixture.texts()).join(' ')).toContain(
      'It says it is market.tides.example. Nobody has verified that',
    )
    expect(fixture.did).toEqual([])
    await fixture.press('DAPP_PROPOSAL_SCREEN', 'connect')
    expect(fixture.did).toEqual(['accept'])
    expect(fixture.ended).toMatchObject({ value: 'Tide Market' })
  })

  test.each([
    [
      'cancels',
      (fixture: Awaited<ReturnType<typeof offered>>) => fixture.press('DAPP_PROPOSAL_SCREEN', 'leave'),
    ],
    ['closes the card', (fixture: Awaited<ReturnType<typeof offered>>) => fixture.close()],
  ])('is refused where its user %s', async (_how, leave) => {
    const fixture = await offered()
    await leave(fixture)
    expect(fixture.did).toEqual(['refuse'])
    expect(fixture.ended.settled).toBe(true)
  })

  test('waits as long as it says, and can be tried with another link', async () => {
    const fixture = await offered()
    await fixture.clock.advance(299_999)
    expect(fixture.state('DAPP_PROPOSAL_SCREEN').status).toBe('asked')
    await fixture.clock.advance(1)
    expect(fixture.state('DAPP_PROPOSAL_SCREEN')).toEqual({ status: 'expired', ...requester })
    await fixture.press('DAPP_PROPOSAL_SCREEN', 'again')
    expect(fixture.state('CONNECT_DAPP_SCREEN')).toEqual({ status: 'asked', problem: undefined })
    expect(fixture.did).toEqual([])
  })

  test('that does not hear of it is said to be not connected', async () => {
    const fixture = await start()
    Object.assign(fixture.offer, { accept: () => Promise.reject(new Error('No connection')) })
    await fixture.paste(uri)
    await fixture.press('DAPP_PROPOSAL_SCREEN', 'connect')
    expect(fixture.state('DAPP_PROPOSAL_SCREEN')).toEqual({ status: 'failed', ...requester })
  })

  test('that needs what the wallet lacks is told so in words', async () => {
    const refusal = { code: 5100, message: 'Unsupported chains.' }
    const fixture = await start({
      is: 'impossible',
      requester,
      lack: 'chains',
      names: ['eip155:250'],
      refusal,
    })
    await fixture.paste(uri)
    expect((await fixture.texts()).join(' ')).toContain(
      'It needs networks that this app does not support: eip155:250.',
    )
  })
})
