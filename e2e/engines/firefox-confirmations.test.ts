/** Firefox can not tell whether something lies over a card: all but a plain message is confirmed on a page of its own. */
import type { Hex } from 'viem'
import { verifyTypedData } from 'viem/utils'
import { expect, it } from 'vitest'
import { beginCall } from '../pages/page-calls.ts'
import { openInbox } from '../stack/inbox.ts'
import { inFirefox } from './firefox.ts'

// A test network: where a browser can tell, its typed data is approved on the card.
const firefox = inFirefox(['rpc_urls.31337=["http://127.0.0.1:9"]', 'test_networks=[31337]'])

const types = { Order: [{ name: 'count', type: 'uint256' }] }
const domain = { name: 'Fieldnotes', chainId: 31_337 }
const asked = { types, primaryType: 'Order', domain, message: { count: '5' } } as const

it('typed data is confirmed on a page of its own, and signed, in Firefox', async () => {
  const visitor = await firefox.arrive()
  await visitor.logIn(openInbox(firefox.stack.sandboxUrl))
  const wallet = await visitor.walletAddress()
  await visitor.openOneLine()
  const ended = await beginCall<{ readonly user: { signature: Hex; address: Hex } }>(
    visitor.page,
    'signTypedData',
    asked,
  )
  await visitor.dialogSays('You confirm this on a page of its own, where nothing can lie over it.')
  const page = await visitor.windowOf(() => visitor.pressInDialog('Continue to confirm'))
  await visitor.approve(page)
  await visitor.dialogSays('Success')
  const {
    user: { signature, address },
  } = await ended()
  const given = { address, signature, types, domain, primaryType: 'Order', message: { count: 5n } } as const
  expect([address, await verifyTypedData(given)]).toEqual([wallet, true])
}, 60_000)
