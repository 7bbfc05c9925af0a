/**
 * The facts of `@latchkey/loader/conformance`, checked in the page. The tests act as the user through
 * callbacks.
 */
import { createLatchkey } from '@latchkey/loader'
import {
  announcementFacts,
  connectorFacts,
  type Fact,
  providerFacts,
  type WalletUser,
} from '@latchkey/loader/conformance'
import { latchkeyConnector } from '@latchkey/loader/wagmi'
import { anvil } from 'viem/chains'
import { chainUrl } from './client.ts'
import { foreign, second } from './wagmi-client.tsx'

const { appId = '', dialogUrl = '' } = document.documentElement.dataset
const act = async <T>(what: 'approve' | 'refuse', asked: Promise<T>): Promise<T> => {
  const page: { isSettled?: boolean; actAsUser?: (what: string) => Promise<void> } = globalThis
  page.isSettled = false
  const acting = page.actAsUser?.(what)
  try {
    return await asked
  } finally {
    page.isSettled = true
    await acting
  }
}

export function offerFacts(wagmi: object) {
  const latchkey = createLatchkey({ appId, dialogUrl, preload: 'never' })
  let times = 0
  latchkey.on('drawn', () => {
    times += 1
  })
  const user: WalletUser = {
    approve: (asked) => act('approve', asked),
    refuse: (asked) => act('refuse', asked),
    logOut: () => latchkey.logout(),
    timesAsked: async () => times,
  }
  const facts: Readonly<Record<string, readonly Fact[]>> = {
    provider: providerFacts({
      provider: () => latchkey.getEthereumProvider() as never,
      user,
      chains: { other: second.id, unknown: foreign.id },
    }),
    announcement: announcementFacts({ rdns: 'app.latchkey' }),
    connector: connectorFacts({
      wagmi: wagmi as never,
      createConnector: () => latchkeyConnector({ appId, dialogUrl, preload: 'never' }),
      user,
      chains: [anvil, second, foreign],
      url: chainUrl,
      // The test operator allows a card to approve these.
      typedData: {
        domain: {
          name: 'Field notes',
          version: '1',
          chainId: anvil.id,
          verifyingContract: '0x00000000000000000000000000000000000ec004',
        },
        types: { Note: [{ name: 'text', type: 'string' }] },
        primaryType: 'Note',
        message: { text: 'Two herons' },
      },
    }),
  }
  return {
    prove: (kind: string, name: string) => {
      const fact = facts[kind]?.find((each) => each.name === name)
      if (!fact) throw new Error(`Unknown fact ${name}`)
      return fact.prove()
    },
    announce: async () => void (await latchkey.getEthereumProvider({ announce: true })),
  }
}
