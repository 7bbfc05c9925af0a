/** The provider of another app's wallet. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makeClient, resolvedCalls } from '../../testing/client.ts'

const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const other = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'
const providerAppId = 'lkdemo0000000000000000002'
const stateOf = (wallet: string, announced = true) => ({
  chainId: 1,
  accounts: [wallet],
  announced: { name: 'Ledgerline' },
  linked: { address: wallet, appId: providerAppId, isAnnounced: announced },
})

type Announced = { info: { uuid: string; name: string; icon: string; rdns: string }; provider: unknown }
let page: EventTarget
let announced: Announced[]
beforeEach(() => {
  page = new EventTarget()
  announced = []
  page.addEventListener('eip6963:announceProvider', (event) => {
    if (event instanceof CustomEvent) announced.push(event.detail)
  })
  vi.stubGlobal('document', Object.assign(new EventTarget(), { prerendering: false }))
  for (const name of ['addEventListener', 'dispatchEvent'] as const) {
    vi.stubGlobal(name, page[name].bind(page))
  }
})
afterEach(() => vi.unstubAllGlobals())

const lastAsk = async ({ opened }: Pick<ReturnType<typeof makeClient>, 'opened'>) =>
  (await resolvedCalls(opened.at(-1))).at(-1)

async function open(wallet: `0x${string}`, setup = makeClient(), isAnnounced = true) {
  const asking = setup.handle.getEthereumProvider({ address: wallet, announce: isAnnounced })
  const asked = await lastAsk(setup)
  expect(asked).toMatchObject({
    name: 'more',
    data: { call: 'ethereumState', data: { announce: isAnnounced, wallet } },
  })
  asked?.resolve(stateOf(wallet, isAnnounced))
  return { ...setup, provider: await asking }
}

test('a linked provider is unique for each address, and differs from the embedded one', async () => {
  const setup = await open(address)
  expect((await open(address, setup)).provider).toBe(setup.provider)
  expect((await open(other, setup)).provider).not.toBe(setup.provider)
  const asking = setup.handle.getEthereumProvider()
  ;(await lastAsk(setup))?.resolve({ chainId: 1, accounts: [] })
  expect(await asking).not.toBe(setup.provider)
})

test('a linked provider sends its wallet address with every request', async () => {
  const setup = await open(address)
  const signed = setup.provider.request({ method: 'personal_sign', params: ['0x68', address] })
  const asked = await lastAsk(setup)
  expect(asked).toMatchObject({
    name: 'moreForUser',
    data: {
      call: 'ethereumRequestForUser',
      data: { method: 'personal_sign', params: ['0x68', address], wallet: address },
    },
  })
  asked?.resolve({ result: '0xsigned' })
  expect(await signed).toBe('0xsigned')
})

test('a linked provider is announced once, under the name of its app, with a unique rdns', async () => {
  const fresh = `0x${'4'.repeat(40)}` as const
  const setup = await open(fresh)
  await open(fresh, setup)
  await vi.waitFor(() => expect(announced).toHaveLength(1))
  const [{ info, provider } = { info: undefined, provider: undefined }] = announced
  expect(info).toMatchObject({ name: 'Ledgerline', rdns: `app.latchkey.${providerAppId}` })
  expect(info?.icon).toMatch(/^data:image\//)
  expect(info?.uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(provider).toBe(setup.provider)
})

test('a linked provider is not announced unless the page requests it', async () => {
  await open(`0x${'3'.repeat(40)}`, makeClient(), false)
  await new Promise((resolve) => setImmediate(resolve))
  expect(announced).toEqual([])
})

test.each([
  ['not_supported', 4200],
  ['linked_account_not_found', 4100],
  ['cross_app_connection_not_allowed', 4100],
  ['missing_or_invalid_token', 4100],
] as const)('what is refused with %s has the code %i', async (code, number) => {
  const { LatchkeyError } = await import('@latchkey/protocol')
  const { toProviderError } = await import('./error.ts')
  expect(toProviderError(new LatchkeyError(code, 'no')).code).toBe(number)
})

test('a linked provider emits empty accounts when the user unlinks the wallet', async () => {
  const setup = await open(address)
  const received: unknown[] = []
  setup.provider.on('accountsChanged', (accounts) => received.push(accounts))
  const user = { id: 'u1', createdAt: 1, linkedAccounts: [] }
  setup.client.events.dispatchEvent(new CustomEvent('user', { detail: { user } }))
  expect(received).toEqual([[]])
})
