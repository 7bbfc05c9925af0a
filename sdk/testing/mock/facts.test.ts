/** Verifies for the mock what e2e/clients/client-facts.clients.ts verifies for the product in a browser. */
import { clientFacts, connectorFacts, providerFacts, type WalletUser } from '@latchkey/loader/conformance'
import { stateOf } from '@latchkey/loader/state'
import { latchkeyConnector } from '@latchkey/loader/wagmi'
import { beforeEach, describe, it } from 'vitest'
import { createConfig, createStorage, http } from 'wagmi'
import * as actions from 'wagmi/actions'
import { mainnet, optimism, polygon } from 'wagmi/chains'
import { type MockLatchkey, mockLatchkey } from './mock.ts'

function create() {
  let client: MockLatchkey
  let timesAsked = 0
  const open = () => {
    client = mockLatchkey({ chains: [1, 10] })
    client.on('drawn', () => {
      timesAsked += 1
    })
    return client
  }
  const user: WalletUser = {
    approve: (asked) => asked,
    async refuse(asked) {
      client.control.setPerson('refuses')
      try {
        return await asked
      } finally {
        client.control.setPerson('approves')
      }
    },
    logOut: () => client.control.logOut(),
    timesAsked: async () => timesAsked,
  }
  return { open, client: () => client, user }
}

describe('the mock as a client', () => {
  const { open, user } = create()
  it.each(clientFacts({ client: async () => open(), stateOf, user }))('$name', ({ prove }) => prove())
})

describe('the provider of the mock', () => {
  const { open, user } = create()
  const facts = providerFacts({
    // Its listeners have more exact types than those of other wallets.
    provider: () => open().getEthereumProvider() as never,
    user,
    chains: { other: 10, unknown: 137 },
  })
  it.each(facts)('$name', ({ prove }) => prove())
})

describe('the wagmi connector on the mock', () => {
  const { open, client, user } = create()
  // A reloaded page has the same dialog.
  beforeEach(() => void open())
  const facts = connectorFacts({
    wagmi: { ...actions, createConfig, createStorage, http } as never,
    createConnector: () => latchkeyConnector({ latchkey: client(), preload: 'never' }),
    user,
    chains: [mainnet, optimism, polygon],
  })
  it.each(facts)('$name', ({ prove }) => prove())
})
