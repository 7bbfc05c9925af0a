import { describe, expect, test } from 'vitest'
import { settle } from '../../testing/clock.ts'
import { walletAddress } from '../../testing/fixtures.ts'
import { makeWorld, watch } from '../../testing/world.ts'
import { connectFlow } from './connect-flow.ts'
import type { Offer, Proposed } from './connections.ts'
import { uri } from './testing.ts'

const requester = { name: 'Tide Market', url: 'https://market.tides.example' }

async function start(proposed?: Proposed | Promise<Proposed>) {
  const world = await makeWorld({})
  const links: string[] = []
  const did: string[] = []
  const offer: Offer = {
    requester,
    address: walletAddress,
    chainIds: [1, 8453],
    expiresAtMs: world.clock.nowMs() + 300_000,
    async accept() {
      did.push('accept')
      return { id: 'session-1', ...requester, sinceMs: 0, lastUsedMs: undefined }
    },
    refuse: () => void did.push('refuse'),
  }
  const ended = watch(
    world.stage.begin(
      connectFlow(world, {
        async propose(link) {
          links.push(link.uri)
          return (await proposed) ?? { is: 'offer', offer }
        },
      }),
    ),
  )
  await settle()
  const paste = (link: string) => world.press('CONNECT_DAPP_SCREEN', 'connect', link)
  return { ...world, offer, did, links, ended, paste }
}

describe('the link of a dapp', () => {
  test.each([
    ['https://market.tides.example', 'not-a-link', 'This is no link of WalletConnect.'],
    ['wc:8a5e5bdc@1?bridge=b&key=41', 'old-version', 'This link is of version 1'],
    [`${uri}&expiryTimestamp=1`, 'expired', 'This link has expired.'],
  ])('is told what is wrong with it, and nobody is asked: %s', async (link, problem, said) => {
    const world = await start()
    await world.paste(link)
    expect(world.state('CONNECT_DAPP_SCREEN')).toEqual({ status: 'asked', problem })
    expect((await world.texts()).join(' ')).toContain(said)
    expect(world.links).toEqual([])
  })

  test('that leads nowhere can be tried again', async () => {
    const world = await start({ is: 'problem', problem: 'silent' })
    await world.paste(uri)
    expect(world.state('CONNECT_DAPP_SCREEN')).toEqual({ status: 'asked', problem: 'silent' })
    await world.paste(uri)
    expect(world.links).toEqual([uri, uri])
  })

  test('is followed once, however often it is pressed', async () => {
    const world = await start(new Promise(() => {}))
    await world.paste(uri)
    await world.paste(uri)
    expect(world.state('CONNECT_DAPP_SCREEN')).toEqual({ status: 'pairing' })
    expect(world.links).toEqual([uri])
  })

  test('whose user has left meanwhile connects nothing', async () => {
    const answer = Promise.withResolvers<Proposed>()
    const world = await start(answer.promise)
    await world.paste(uri)
    await world.press('CONNECT_DAPP_SCREEN', 'leave')
    expect(world.ended).toMatchObject({ settled: true, value: undefined })
    answer.resolve({ is: 'offer', offer: world.offer })
    await settle()
    expect(world.did).toEqual(['refuse'])
  })
})

describe('a dapp that wants the wallet', () => {
  async function offered() {
    const world = await start()
    await world.paste(uri)
    return world
  }

  test('is shown as it says itself, with what it gets, and connected when its user agrees', async () => {
    const world = await offered()
    expect(world.state('DAPP_PROPOSAL_SCREEN')).toEqual({
      status: 'asked',
      ...requester,
      address: walletAddress,
      networks: ['Ethereum', 'Base'],
    })
    expect((await world.texts()).join(' ')).toContain(
      'It says that it is market.tides.example. Nobody has verified that',
    )
    expect(world.did).toEqual([])
    await world.press('DAPP_PROPOSAL_SCREEN', 'connect')
    expect(world.did).toEqual(['accept'])
    expect(world.ended).toMatchObject({ value: 'Tide Market' })
  })

  test.each([
    ['cancels', (world: Awaited<ReturnType<typeof offered>>) => world.press('DAPP_PROPOSAL_SCREEN', 'leave')],
    ['closes the card', (world: Awaited<ReturnType<typeof offered>>) => world.close()],
  ])('is refused where its user %s', async (_how, leave) => {
    const world = await offered()
    await leave(world)
    expect(world.did).toEqual(['refuse'])
    expect(world.ended.settled).toBe(true)
  })

  test('waits as long as it says, and can be tried with another link', async () => {
    const world = await offered()
    await world.clock.advance(299_999)
    expect(world.state('DAPP_PROPOSAL_SCREEN').status).toBe('asked')
    await world.clock.advance(1)
    expect(world.state('DAPP_PROPOSAL_SCREEN')).toEqual({ status: 'expired', ...requester })
    await world.press('DAPP_PROPOSAL_SCREEN', 'again')
    expect(world.state('CONNECT_DAPP_SCREEN')).toEqual({ status: 'asked', problem: undefined })
    expect(world.did).toEqual([])
  })

  test('that does not hear of it is said to be not connected', async () => {
    const world = await start()
    Object.assign(world.offer, { accept: () => Promise.reject(new Error('No connection')) })
    await world.paste(uri)
    await world.press('DAPP_PROPOSAL_SCREEN', 'connect')
    expect(world.state('DAPP_PROPOSAL_SCREEN')).toEqual({ status: 'failed', ...requester })
  })

  test('that needs what the wallet lacks is told so in words', async () => {
    const refusal = { code: 5100, message: 'Unsupported chains.' }
    const world = await start({ is: 'impossible', requester, lack: 'chains', names: ['eip155:250'], refusal })
    await world.paste(uri)
    expect((await world.texts()).join(' ')).toContain(
      'It needs networks that this app does not have: eip155:250.',
    )
  })
})
