import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openWindowFor } from './opened-window.ts'

const contract = '0x71c7656ec7ab88b098defb751b7401b5f6d8976f'
const confirmPage = {
  address: 'https://wallet.example/apps/app/confirm',
  typedDataOnCard: [{ contract, primaryType: 'Order' }],
  testNetworks: [11_155_111],
}
const typed = (primaryType: string, verifyingContract: string = contract) => ({
  types: { [primaryType]: [{ name: 'count', type: 'uint256' }] },
  primaryType,
  domain: { chainId: 1, verifyingContract },
  message: { count: '1' },
})
const signing = (data: unknown) => ({ method: 'eth_signTypedData_v4', params: [contract, data] })
const sending = (transaction: object) => ({ method: 'eth_sendTransaction', params: [transaction] })

let isActive = true
let comes = true
const opened: { given: readonly unknown[]; isClosed: boolean }[] = []
beforeEach(() => {
  isActive = true
  comes = true
  opened.length = 0
  vi.stubGlobal('navigator', {
    userActivation: {
      get isActive() {
        return isActive
      },
    },
  })
  vi.stubGlobal('open', (...given: unknown[]) => {
    const window = { given, isClosed: false }
    opened.push(window)
    return comes ? { close: () => Object.assign(window, { isClosed: true }) } : null
  })
})
afterEach(() => vi.unstubAllGlobals())

const openFor = (request: Parameters<typeof openWindowFor>[0], chainId = 1) =>
  openWindowFor(request, confirmPage, chainId)

describe('a confirmation window opens in the click', () => {
  it('without a window name, at the confirmation page, with a new random name of 32 bytes in its address', () => {
    const first = openFor(signing(typed('Permit')))
    const second = openFor(signing(typed('Permit')))
    expect(first?.name).toMatch(/^[\w-]{43}$/)
    expect(second?.name).not.toBe(first?.name)
    expect(opened[0]?.given).toEqual([
      `https://wallet.example/apps/app/confirm#w.${first?.name}`,
      '_blank',
      'popup,width=440,height=680',
    ])
    first?.close()
    expect(opened.map(({ isClosed }) => isClosed)).toEqual([true, false])
  })

  it.each([
    ['typed data that the operator does not list', signing(typed('Permit'))],
    ['typed data as JSON', signing(JSON.stringify(typed('Permit')))],
    ['typed data of a listed type of another contract', signing(typed('Order', `0x${'1'.repeat(40)}`))],
    ['typed data version 3', { ...signing(typed('Permit')), method: 'eth_signTypedData_v3' }],
    ['a token approval', sending({ to: contract, data: `0x095ea7b3${'0'.repeat(128)}` })],
    ['a token approval in the field input', sending({ to: contract, input: `0x095EA7B3${'0'.repeat(128)}` })],
    ['an increased allowance', sending({ to: contract, data: `0x39509351${'0'.repeat(128)}` })],
    ['an approval for a whole collection', sending({ to: contract, data: `0xa22cb465${'0'.repeat(128)}` })],
  ])('for %s', (_name, request) => {
    expect(openFor(request)).toBeDefined()
  })
})

describe('no confirmation window opens', () => {
  it.each([
    ['typed data that a card may approve', signing(typed('Order'))],
    ['unreadable data', signing('{')],
    ['invalid typed data', signing({ primaryType: 'Permit' })],
    ['a transfer', sending({ to: contract, value: '0x1' })],
    ['another contract call', sending({ to: contract, data: `0xa9059cbb${'0'.repeat(128)}` })],
    ['a message', { method: 'personal_sign', params: ['0x68656c6c6f', contract] }],
    ['nothing', { method: 'eth_sendTransaction', params: [] }],
  ])('for %s', (_name, request) => {
    expect(openFor(request)).toBeUndefined()
    expect(opened).toEqual([])
  })

  it('for an approval on a test network or on an unknown chain', () => {
    const approval = sending({ to: contract, data: `0x095ea7b3${'0'.repeat(128)}` })
    expect([openFor(approval, 11_155_111), openFor(approval, 0)]).toEqual([undefined, undefined])
    expect(openFor(approval, 1)).toBeDefined()
  })

  it('if the click has expired', () => {
    isActive = false
    expect(openFor(signing(typed('Permit')))).toBeUndefined()
    expect(opened).toEqual([])
  })

  it('if the browser blocks it', () => {
    comes = false
    expect(openFor(signing(typed('Permit')))).toBeUndefined()
  })
})
