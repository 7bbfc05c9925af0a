import { LatchkeyError } from '@latchkey/protocol'
import type { HostCallInput } from '@latchkey/protocol/host'
import { describe, expect, test } from 'vitest'
import { settle } from '../../../testing/clock.ts'
import { watch } from '../../../testing/fixture.ts'
import { renderDialog } from '../../../testing/page.tsx'
import { address, answers, chooseWallet, makeWalletFixture, otherAddress, pageOf } from '../testing.ts'

/** A page may ask for anything. */
type Asked = HostCallInput<'connectedWalletRequest'>

const app = { walletConnectCloudProjectId: 'project' }

async function connected() {
  const asked: (readonly [string, readonly unknown[]])[] = []
  let question = Promise.withResolvers<unknown>()
  let isPresent = true
  let disconnected = 0
  const relay = async () => ({
    connectorType: 'wallet_connect' as const,
    connect: async () => ({ address, chainId: 1 }),
    sign: async () => '0xab',
    pay: async () => '0xcd',
    request(method: string, params: readonly unknown[]) {
      asked.push([method, params])
      question = Promise.withResolvers()
      return question.promise
    },
    isPresent: () => isPresent,
    async disconnect() {
      disconnected += 1
    },
  })
  const fixture = await makeWalletFixture({ answers, page: pageOf(), app, relay })
  await fixture.session.start()
  const connecting = watch(fixture.more('connectWallet', {}))
  await settle()
  const dialog = renderDialog(fixture)
  await chooseWallet(dialog, 'Rainbow')
  await settle()
  await fixture.clock.advance(1_400)
  expect(connecting.value).toMatchObject({ wallet: { address, connectorType: 'wallet_connect' } })
  return {
    fixture,
    dialog,
    asked,
    disconnected: () => disconnected,
    leave() {
      isPresent = false
    },
    answer: async (result: unknown) => {
      question.resolve(result)
      await settle()
    },
    refuse: async () => {
      question.reject(new LatchkeyError('user_rejected_request', 'no'))
      await settle()
    },
    ask: (method: string, params: readonly unknown[], of: string = address) =>
      watch(fixture.more('connectedWalletRequest', { address: of, method, params } as Asked)),
  }
}

describe('a wallet at a relay that the page has connected', () => {
  test('stays connected when its card is gone, and is asked while a card names it', async () => {
    const { fixture, dialog, ask, asked, answer, disconnected } = await connected()
    expect(fixture.view()?.open).toBe(false)
    expect(disconnected()).toBe(0)
    const signing = ask('personal_sign', ['0x6869', address])
    await settle()
    // The previous card is leaving.
    await fixture.clock.advance(1_000)
    expect(fixture.screen()).toBe('AWAITING_CONNECT_ONLY_CONNECTION')
    await dialog.see('Rainbow shows what this page is asking for. Confirm it there.')
    expect(asked).toEqual([['personal_sign', ['0x6869', address]]])
    await answer('0xabcd')
    expect(signing.value).toEqual({ result: '0xabcd' })
    expect(fixture.view()?.open).toBe(false)
  })

  test('rejects if its user refuses, or closes the card', async () => {
    const { fixture, ask, refuse } = await connected()
    const refused = ask('eth_sendTransaction', [{ to: otherAddress }])
    await settle()
    await refuse()
    expect(refused.error).toMatchObject({ code: 'user_rejected_request' })
    const closed = ask('personal_sign', ['0x6869', address])
    await settle()
    await fixture.close()
    expect(closed.error).toMatchObject({ code: 'user_rejected_request' })
  })

  test('gets no request after it left, or if it was never connected', async () => {
    const { fixture, ask, asked, leave, disconnected } = await connected()
    const never = ask('personal_sign', ['0x6869', otherAddress], otherAddress)
    await settle()
    expect(never.error).toMatchObject({ code: 'channel_closed' })
    leave()
    const left = ask('personal_sign', ['0x6869', address])
    await settle()
    expect(left.error).toMatchObject({ code: 'channel_closed' })
    expect(disconnected()).toBe(1)
    await fixture.more('disconnectWallet', { address })
    expect(asked).toEqual([])
  })

  test('disconnects when the page asks', async () => {
    const { fixture, ask, disconnected } = await connected()
    await fixture.more('disconnectWallet', { address })
    expect(disconnected()).toBe(1)
    const asking = ask('personal_sign', ['0x6869', address])
    await settle()
    expect(asking.error).toMatchObject({ code: 'channel_closed' })
  })

  test('gets only listed requests', async () => {
    const { ask, asked } = await connected()
    const asking = ask('eth_sign', [address, '0x00'])
    await settle()
    expect(asking.error).toMatchObject({ code: 'invalid_data' })
    expect(asked).toEqual([])
  })
})
