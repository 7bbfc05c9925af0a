/**
 * Measures wallet operations at several CPU speeds: from the card to an armed button, from the press to the
 * host's result, the server's share of that, and the cost of a recovery password in a new device's vault.
 *
 * Browsers slow down a page's main thread. If they do not slow down workers, the vault has the same speed at
 * every rate. The bench prints that, because its Argon2id time is then not that of a slow phone.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Inbox, openInbox } from '@latchkey/sandbox'
import type { Browser, Frame, Page } from '@playwright/test'
import { type Hex, parseEther } from 'viem'
import { HostPage } from '../pages/host-page.ts'
import { openWindow, recoverWith, setPasswordIn } from '../pages/recovery-window.ts'
import { contract, createChainClient, someone } from '../pages/transactions.ts'
import { appId, type Stack } from '../stack/stack.ts'
import type { Conditions } from './conditions.ts'
import type { Hosts } from './hosts.ts'
import { openHost, preload } from './opening.ts'
import type { Stamps } from './stamps.ts'
import { heading, line, median, plain } from './statistics.ts'

const SAMPLES = 3
const rates = [1, 4, 6] as const
const password = 'four-words-that-nobody-knows'

const DEADLINE_MS = 60_000
/** The server reloads app settings after this time. */
const SETTINGS_NOTICED_MS = 6_000
const COUNT_TO = 50_000_000

const transfer = { to: someone, value: '0x2386f26fc10000' }
const order = {
  types: { Order: [{ name: 'count', type: 'uint256' }] },
  primaryType: 'Order',
  domain: { name: 'Fieldnotes', version: '1', chainId: 31_337, verifyingContract: contract },
  message: { count: '5' },
}

const measures = [
  'the card to a button that can be pressed',
  'the press to the signature of a message',
  'the press to the signature of typed data',
  'the press to the receipt of a transaction',
  'the release of a share by the server',
  'Argon2id in the vault, 64 MiB, 3 times',
  'a count on the page of the wallet',
] as const
type Measure = (typeof measures)[number]
type Times = { [name in Measure]: number[] }

export async function measureWallet(browser: Browser, emulated: Conditions, stack: Stack, hosts: Hosts) {
  await stack.app(
    'set',
    appId,
    `rpc_urls.31337=${JSON.stringify([stack.chainUrl])}`,
    'test_networks=[31337]',
    `card_typed_data=[{"contract":"${contract}","primary_type":"Order"}]`,
    'embedded_wallet_config.user_owned_recovery_options=["user-passcode"]',
  )
  await createChainClient(stack.chainUrl).setAutomine(true)
  await sleep(SETTINGS_NOTICED_MS)
  const all = new Map<number, Times>()
  for (const slowdown of rates) {
    emulated.set({ name: `${slowdown}×`, roundTripMs: 0, slowdown })
    const times = Object.fromEntries(measures.map((name) => [name, [] as number[]])) as Times
    for (let sample = 0; sample < SAMPLES; sample += 1) await useWallet(browser, stack, hosts, times)
    all.set(slowdown, times)
    print(slowdown, times, all.get(1) ?? times)
  }
  const slowest = all.get(6)
  const unslowed = all.get(1)
  if (!slowest || !unslowed) return
  const getRatio = (name: Measure) => median(slowest[name]) / median(unslowed[name])
  heading('What the browser slowed 6 times')
  plain('the page', getRatio('a count on the page of the wallet'), '×')
  plain('the vault, which is a worker', getRatio('Argon2id in the vault, 64 MiB, 3 times'), '×')
}

function print(slowdown: number, times: Times, unslowed: Times) {
  heading(`What a wallet takes, on a processor ${slowdown === 1 ? 'as it is' : `${slowdown} times slower`}`)
  for (const name of measures) {
    const ratio = median(times[name]) / median(unslowed[name])
    line(name, times[name], 'ms', slowdown === 1 ? '' : `${ratio.toFixed(2)}× unslowed`)
  }
}

/** Logs in for the first time, signs, sends, sets a password, and recovers the wallet on another device. */
async function useWallet(browser: Browser, stack: Stack, hosts: Hosts, times: Times) {
  const inbox = openInbox(stack.sandboxUrl)
  await onDevice(browser, stack, hosts, inbox, async ({ page, host, stamps }) => {
    const chain = createChainClient(stack.chainUrl)
    await chain.setBalance({ address: await getWalletAddress(page), value: parseEther('1') })
    const measured = async (measure: Measure, call: string, asked: unknown, button = host.approveButton) => {
      const arms = stamps.count('armed')
      await begin(page, call, asked)
      const armed = await stamps.until('armed', arms + 1)
      times['the card to a button that can be pressed'].push(armed - stamps.last('card'))
      const answers = stamps.count('signed')
      await host.approve(button)
      const answered = await stamps.until('signed', answers + 1)
      times[measure].push(answered - stamps.last('clicked'))
    }
    await measured('the press to the signature of a message', 'signMessage', 'Three curlews, calling')
    await host.dialogCloses()
    await measured('the press to the signature of typed data', 'signTypedData', order)
    await host.dialogCloses()
    const submit = host.dialog.getByRole('button', { name: 'Submit' })
    await measured('the press to the receipt of a transaction', 'sendTransaction', transfer, submit)
    await host.dialog.getByRole('button', { name: 'All Done' }).click()
    await host.dialogCloses()
    const releases = await getRequests(page, '/wallets/shares')
    times['the release of a share by the server'].push(...releases.map(({ start, end }) => end - start))
    await setPassword(host)
  })
  await onDevice(browser, stack, hosts, inbox, async ({ page, host }) => {
    await begin(page, 'signMessage', 'On another device')
    await recoverWith(host, password)
    await host.approveButton.waitFor({ timeout: DEADLINE_MS })
    const [salted] = await getRequests(page, '/wallets/recovery/password')
    const [shown] = await getRequests(page, '/wallets/recovery/shares')
    if (!salted || !shown) throw new Error('The password recovered no wallet')
    times['Argon2id in the vault, 64 MiB, 3 times'].push(shown.start - salted.end)
    times['a count on the page of the wallet'].push(await walletFrame(page).evaluate(count, COUNT_TO))
  })
}

type Device = { page: Page; host: HostPage; stamps: Stamps }

async function onDevice(
  browser: Browser,
  stack: Stack,
  hosts: Hosts,
  inbox: Inbox,
  use: (device: Device) => Promise<void>,
) {
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    const { stamps, open } = await openHost(page, hosts.preloaded)
    const host = new HostPage(page, stack)
    await preload(page, 0)
    await open()
    await host.askForCode(inbox.address)
    await host.typeCode(await inbox.nextCode())
    await stamps.until('loggedIn')
    await host.dialogCloses()
    await use({ page, host, stamps })
  } finally {
    await context.close()
  }
}

type Calls = Readonly<Record<string, (given: unknown) => Promise<unknown>>>

/** Starts a call of the host page, which records when it resolves. */
const begin = (page: Page, name: string, given?: unknown) =>
  page.evaluate(
    ([called, data]) => {
      const handle: unknown = Reflect.get(globalThis, 'latchkey')
      const stamp = Reflect.get(globalThis, 'stamp')
      void (handle as Calls)[called]?.(data).then(
        () => stamp('signed'),
        ({ code }: { code: string }) => {
          document.title = code
        },
      )
    },
    [name, given] as const,
  )

const getWalletAddress = (page: Page): Promise<Hex> =>
  page.evaluate(async () => {
    const handle: unknown = Reflect.get(globalThis, 'latchkey')
    return Object(await (handle as Calls).getUser?.({})).wallet.address
  })

async function setPassword(host: HostPage) {
  await begin(host.page, 'setWalletRecovery')
  await setPasswordIn(await openWindow(host), password)
  await host.dialog.getByRole('heading', { name: 'Password set' }).waitFor({ timeout: DEADLINE_MS })
}

function walletFrame(page: Page): Frame {
  const frame = page.frames().find((frame) => new URL(frame.url()).pathname.endsWith('/embedded-wallets'))
  if (!frame) throw new Error('No wallet frame found')
  return frame
}

/** Returns the requests of the wallet frame with their times. */
const getRequests = (page: Page, path: string) =>
  walletFrame(page).evaluate(
    (end) =>
      performance
        .getEntriesByType('resource')
        .filter(({ name }) => name.endsWith(end))
        .map(({ startTime, duration }) => ({ start: startTime, end: startTime + duration })),
    path,
  )

/** A CPU-bound loop. */
function count(to: number): number {
  const from = performance.now()
  let sum = 0
  for (let number = 0; number < to; number += 1) sum = (sum + number) % 1_000_003
  return sum < 0 ? Number.NaN : performance.now() - from
}
