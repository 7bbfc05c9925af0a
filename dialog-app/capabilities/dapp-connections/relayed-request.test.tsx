/** Requests of connected dapps, in the same flows as requests of the host page. */

import type { ConfirmableRequest, RelayedRequester } from '@latchkey/protocol/wallet'
import { expect, test } from 'vitest'
import { settle } from '../../testing/clock.ts'
import { confirmedIn, makeFixture, watch } from '../../testing/fixture.ts'
import { makeAuthAnswer, walletAddress, walletUser } from '../../testing/fixtures.ts'
import { renderDialog } from '../../testing/page.tsx'

const requester = { name: 'Tide Market', url: 'https://market.tides.example' }
const hex = (text: string) => `0x${Buffer.from(text).toString('hex')}`
const typedData = (chainId: number) => ({
  types: {
    EIP712Domain: [
      { name: 'name', type: 'string' },
      { name: 'chainId', type: 'uint256' },
    ],
    Order: [{ name: 'item', type: 'string' }],
  },
  primaryType: 'Order',
  domain: { name: 'Tide Market', chainId },
  message: { item: 'A lamp' },
})

async function start(change: Parameters<typeof makeFixture>[0] = {}) {
  const confirmed: {
    request: ConfirmableRequest
    place: unknown
    requester: RelayedRequester | undefined
  }[] = []
  const fixture = await makeFixture({
    app: { rpcUrls: { '1': ['https://rpc.example'], '8453': ['https://rpc.example'] } },
    wallet: {
      async confirm(_address, request, { place, requester: by } = {}) {
        confirmed.push({ request, place, requester: by })
        return confirmedIn('page', { reason: 'relayed', isRelayed: true })
      },
    },
    ...change,
  })
  fixture.session.accept(makeAuthAnswer({ user: walletUser }))
  const page = renderDialog(fixture)
  const cancel = new AbortController()
  async function ask(method: string, params: readonly unknown[], chainId = 1) {
    const asked = fixture.more(
      'ethereumRequestForUser',
      { method, params: [...params] },
      { signal: cancel.signal, relayed: { requester, chainId } },
    )
    const outcome = watch(asked)
    await settle()
    return outcome
  }
  return { ...fixture, page, ask, confirmed, cancel }
}
const toPage =
  'A site that you connected with a link is asking for this, so you confirm it on a separate page.'

test('confirms a dapp message on the wallet page, with the name and origin of the dapp', async () => {
  const fixture = await start()
  await fixture.ask('personal_sign', [hex('Hello'), walletAddress])
  expect(fixture.confirmed).toMatchObject([{ place: 'page', requester }])
  for (const text of [toPage, 'Tide Market', 'market.tides.example']) await fixture.page.see(text)
})

test('requires a confirmation for dapp messages even if the app signs without prompts', async () => {
  const fixture = await start({ config: { embeddedWallets: { noPromptOnSignature: true } } })
  await fixture.ask('personal_sign', [hex('Hello'), walletAddress])
  expect(fixture.confirmed).toMatchObject([{ place: 'page' }])
})

test('checks typed data against the chain of the dapp, not of the host page', async () => {
  const fixture = await start()
  await fixture.ask('eth_signTypedData_v4', [walletAddress, JSON.stringify(typedData(8453))], 8453)
  await fixture.page.see(toPage)
  const other = await start()
  const outcome = await other.ask('eth_signTypedData_v4', [walletAddress, typedData(8453)], 1)
  await other.page.see('It is for network 8453, but your wallet is on network 1.')
  expect(outcome.error).toMatchObject({ code: 'unsupported_chain_id' })
})

test('shows a login message for the dapp itself, and blocks one for another site', async () => {
  const signIn = (host: string) => hex(`${host} wants you to sign in with your Ethereum account:\n0x`)
  const own = await start()
  await own.ask('personal_sign', [signIn('market.tides.example'), walletAddress])
  await own.page.see(toPage)
  for (const host of ['bank.example', 'demo.localhost:4001', 'market.tides.example:444']) {
    const other = await start()
    const outcome = await other.ask('personal_sign', [signIn(host), walletAddress])
    await other.page.see(
      `This message logs you in at ${host}, but another site asks for it. Signing it would let that site act as you there.`,
    )
    expect(outcome.error).toMatchObject({ code: 'invalid_message' })
    expect(other.confirmed).toEqual([])
  }
})

test.each([
  ['no JSON', [walletAddress, 'no JSON']],
  ['no type', [walletAddress, JSON.stringify({ ...typedData(1), primaryType: 'Other' })]],
  ['no object', [walletAddress, 7]],
  ['no params', []],
])('rejects malformed typed data without a card: %s', async (_what, params) => {
  const fixture = await start()
  const outcome = await fixture.ask('eth_signTypedData_v4', params)
  expect(outcome.error).toMatchObject({ code: expect.stringMatching(/^invalid_(data|message)$/) })
  expect(fixture.screen()).toBeUndefined()
})

test('closes the card when the user closes it or the request is aborted', async () => {
  const closed = await start()
  const outcome = await closed.ask('personal_sign', [hex('Hello'), walletAddress])
  await closed.close()
  expect(outcome.error).toMatchObject({ code: 'user_rejected_request' })
  const late = await start()
  const asked = await late.ask('personal_sign', [hex('Hello'), walletAddress])
  late.cancel.abort()
  await settle()
  expect(asked.settled).toBe(true)
  expect(late.view()?.open).toBe(false)
})

test('rejects a request for an account of another user with 4100', async () => {
  const fixture = await start()
  const other = `0x${'12'.repeat(20)}`
  const outcome = await fixture.ask('personal_sign', [hex('Hello'), other])
  expect(outcome.value).toMatchObject({ refused: { code: 4100 } })
  expect(fixture.screen()).toBeUndefined()
})
