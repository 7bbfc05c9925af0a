/** Helpers for signing and sending on the sandbox chain. */
import type { Locator, Page } from '@playwright/test'
import { createTestClient, type Hex, http, publicActions } from 'viem'
import { anvil } from 'viem/chains'
import { pressGated } from './pointer.ts'

export const someone = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
export const contract = '0x00000000000000000000000000000000000ec002'

export const createChainClient = (url: string) =>
  createTestClient({ chain: anvil, mode: 'anvil', transport: http(url) }).extend(publicActions)

type Calls = Readonly<Record<string, (asked: object) => Promise<unknown>>>

/** Starts a call of the page. Its result is read later, because the user acts in between. */
export async function beginRequest(page: Page, name: string, asked: object) {
  await page.evaluate(
    ([called, given]) => {
      const handle: unknown = Reflect.get(globalThis, 'latchkey')
      const ended = (handle as Calls)[called]?.(given as object).then(
        (value) => ({ value }),
        ({ code, details }) => ({ code, details }),
      )
      Reflect.set(globalThis, 'ended', ended)
    },
    [name, asked] as const,
  )
  return () => page.evaluate(() => Reflect.get(globalThis, 'ended')) as Promise<Record<string, unknown>>
}

/** Presses the approval button until the next screen appears. */
export async function press(button: Locator, next: Locator) {
  await pressGated(button)
  await next.first().waitFor()
}
export const permit = (wallet: Hex, chainId: number) => ({
  types: {
    Permit: [
      { name: 'owner', type: 'address' },
      { name: 'spender', type: 'address' },
      { name: 'value', type: 'uint256' },
      { name: 'nonce', type: 'uint256' },
      { name: 'deadline', type: 'uint256' },
    ],
  },
  primaryType: 'Permit',
  domain: { name: 'Test Dollar', version: '1', chainId, verifyingContract: contract },
  message: { owner: wallet, spender: someone, value: '5000000', nonce: '0', deadline: '1798761600' },
})
