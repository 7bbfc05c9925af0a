import { expect, test } from 'vitest'
import type { Namespaces } from '../dapp-client.ts'
import { granted, judgeProposal } from './proposal.ts'

const usable = [1, 8453]
const methods = ['personal_sign', 'eth_sendTransaction']
const eip155 = (change: Partial<Namespaces[string]> = {}): Namespaces => ({
  eip155: { chains: ['eip155:1'], methods, events: ['accountsChanged', 'chainChanged'], ...change },
})
const judge = (required: Namespaces, optional: Namespaces = {}) =>
  judgeProposal({ required, optional }, usable)

test('grants the requested chains that the app supports', () => {
  expect(judge(eip155())).toEqual({ is: 'possible', chainIds: [1] })
  expect(judge(eip155(), eip155({ chains: ['eip155:8453', 'eip155:10'] }))).toEqual({
    is: 'possible',
    chainIds: [1, 8453],
  })
  expect(judge({}, eip155({ chains: ['eip155:10', 'eip155:8453'] }))).toEqual({
    is: 'possible',
    chainIds: [8453],
  })
})

test('accepts a single chain as a namespace key', () => {
  expect(judge({ 'eip155:8453': { methods, events: [] } })).toEqual({ is: 'possible', chainIds: [8453] })
  expect(judge({ 'eip155:10': { methods, events: [] } })).toMatchObject({ lack: 'chains' })
})

test('ignores optional features that the wallet lacks', () => {
  const wishes = eip155({ methods: ['eth_sign'], events: ['message'] })
  expect(judge({}, wishes)).toEqual({ is: 'possible', chainIds: [1] })
  expect(judge(eip155(), { solana: { chains: ['solana:1'], methods: [], events: [] } })).toMatchObject({
    is: 'possible',
  })
})

test.each([
  [
    5104,
    'namespaces',
    ['solana'],
    { ...eip155(), solana: { chains: ['solana:1'], methods: [], events: [] } },
  ],
  [5100, 'chains', ['eip155:10'], eip155({ chains: ['eip155:1', 'eip155:10'] })],
  [5101, 'methods', ['eth_sign'], eip155({ methods: ['personal_sign', 'eth_sign'] })],
  [5102, 'events', ['message'], eip155({ events: ['message'] })],
] as const)('rejects required features that the wallet lacks with %i: %s', (code, lack, names, required) => {
  expect(judge(required)).toMatchObject({ is: 'impossible', lack, names, refusal: { code } })
})

test('rejects a dapp that shares no chain with the app, even if its chains are optional', () => {
  expect(judge({}, eip155({ chains: ['eip155:10'] }))).toMatchObject({ lack: 'chains' })
  expect(judge({}, { solana: { chains: ['solana:1'], methods: [], events: [] } })).toMatchObject({
    lack: 'namespaces',
    names: ['solana'],
  })
})

test('grants the wallet account on the given chains, with all supported methods and events', () => {
  expect(granted([1, 8453], '0xabc').eip155).toEqual({
    chains: ['eip155:1', 'eip155:8453'],
    accounts: ['eip155:1:0xabc', 'eip155:8453:0xabc'],
    methods: [
      'personal_sign',
      'eth_signTypedData_v4',
      'eth_sendTransaction',
      'eth_accounts',
      'eth_requestAccounts',
      'eth_chainId',
      'wallet_switchEthereumChain',
    ],
    events: ['accountsChanged', 'chainChanged'],
  })
})
