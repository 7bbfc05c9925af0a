/** A wallet of another app as a provider of its own. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { asksOf, makeClient } from '../../testing/client.ts'

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
  (await asksOf(opened.at(-1))).at(-1)

async function open(wallet: `0x${string}`, made = makeClient(), isAnnounced = true) {
  const asking = made.handle.getEthereumProvider({ address: wallet, announce: isAnnounced })
  const asked = await lastAsk(made)
  expect(asked).toMatchObject({
    name: 'more',
    data: { call: 'ethereumState', data: { announce: isAnnounced, wallet } },
  })
  asked?.resolve(stateOf(wallet, isAnnounced))
  return { ...made, provider: await asking }
}

test('it is one for each address, and not that of the embedded wallet', async () => {
  const made = await open(address)
  expect((await open(address, made)).provider).toBe(made.provider)
  expect((await open(other, made)).provider).not.toBe(made.provider)
  const asking = made.handle.getEthereumProvider()
  ;(await lastAsk(made))?.resolve({ chainId: 1, accounts: [] })
  expect(await asking).not.toBe(made.provider)
})

test('it names its wallet with whatever it asks', async () => {
  const made = await open(address)
  const signed = made.provider.request({ method: 'personal_sign', params: ['0x68', address] })
  const asked = await lastAsk(made)
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

test('it is announced once, under the name of its app, as no other is', async () => {
  const fresh = `0x${'4'.repeat(40)}` as const
  const made = await open(fresh)
  await open(fresh, made)
  await vi.waitFor(() => expect(announced).toHaveLength(1))
  const [{ info, provider } = { info: undefined, provider: undefined }] = announced
  expect(info).toMatchObject({ name: 'Ledgerline', rdns: `app.latchkey.${providerAppId}` })
  expect(info?.icon).toMatch(/^data:image\//)
  expect(info?.uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(provider).toBe(made.provider)
})

test('it is not announced where the page does not want it', async () => {
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

test('its accounts are told to be gone when the user unlinked it', async () => {
  const made = await open(address)
  const told: unknown[] = []
  made.provider.on('accountsChanged', (accounts) => told.push(accounts))
  const user = { id: 'u1', createdAt: 1, linkedAccounts: [] }
  made.client.events.dispatchEvent(new CustomEvent('user', { detail: { user } }))
  expect(told).toEqual([[]])
})
