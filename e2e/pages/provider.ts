/** A proxy for the page's provider: libraries in Node call it, and it forwards to the page. */
import type { Page } from '@playwright/test'

type ProviderRequest = { method: string; params?: unknown }
type Answer = { result: unknown } | { error: { code: number; message: string; data?: unknown } }

export type PageProvider = {
  request: (asked: ProviderRequest) => Promise<unknown>
  /** Returns the events so far, in order. */
  events: () => Promise<readonly (readonly [name: string, event: unknown])[]>
}

/** Returns the provider of the page's handle, or the last one in its list `found`. */
export async function getProvider(
  page: Page,
  way: 'asked for' | 'announced' = 'asked for',
): Promise<PageProvider> {
  await page.evaluate(async (way) => {
    type Provider = {
      on(name: string, run: (event: unknown) => void): void
    }
    const { latchkey, found } = globalThis as unknown as {
      latchkey: { getEthereumProvider(): Promise<Provider> }
      found?: readonly { provider: Provider }[]
    }
    const announced = found?.at(-1)?.provider
    const provider = way === 'announced' && announced ? announced : await latchkey.getEthereumProvider()
    const events: unknown[] = []
    for (const name of ['connect', 'disconnect', 'chainChanged', 'accountsChanged']) {
      provider.on(name, (event) =>
        events.push([name, event instanceof Error ? Reflect.get(event, 'code') : event]),
      )
    }
    Object.assign(globalThis, { provider, told: events })
  }, way)
  return {
    async request(asked) {
      const answer = (await page.evaluate(async (given) => {
        const provider = Reflect.get(globalThis, 'provider') as { request(asked: unknown): Promise<unknown> }
        return provider.request(given).then(
          (result) => ({ result }),
          ({ code, message, data }) => ({ error: { code, message, data } }),
        )
      }, asked)) as Answer
      if ('result' in answer) return answer.result
      throw Object.assign(new Error(answer.error.message), answer.error)
    },
    events: () => page.evaluate(() => Reflect.get(globalThis, 'told') as unknown as [string, unknown][]),
  }
}
