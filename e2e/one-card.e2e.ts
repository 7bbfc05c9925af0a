import { expect, test } from './test.ts'

declare global {
  /** What a page with the one line has of the loader. */
  var latchkey: {
    readonly on: (name: 'open' | 'close', run: () => void) => void
    readonly login: () => Promise<unknown>
    readonly logout: () => Promise<unknown>
    readonly getUser: () => Promise<{ readonly id: string } | null>
    readonly signMessage: (message: string) => Promise<{ readonly signature: string }>
  }
  /** What the loader told the page of the card. */
  var told: string[]
  var signed: ReturnType<typeof globalThis.latchkey.signMessage>
}

test('a signature that is asked for right after the login takes its card over', async ({
  host,
  inbox,
  page,
}) => {
  await host.openOneLine()
  await page.evaluate(() => {
    globalThis.told = []
    for (const name of ['open', 'close'] as const) latchkey.on(name, () => void told.push(name))
    globalThis.signed = latchkey.login().then(() => latchkey.signMessage('Right after the login'))
  })
  await host.askForCode(inbox.address)
  await host.typeCode(await inbox.nextCode())
  await host.approve()
  expect(await page.evaluate(async () => (await signed).signature)).toMatch(/^0x[0-9a-f]{130}$/)
  await page.keyboard.press('Enter')
  await host.dialogCloses()
  expect(await page.evaluate(() => told)).toEqual(['open', 'close'])
})
