/**
 * A script in the dialog's page that deceives the user: it draws look-alikes, opens and replaces windows,
 * logs the user out and runs the next login. `hostile-dialog.e2e.ts` covers attacks by API calls alone.
 */
import type { BrowserContext, Frame, Page } from '@playwright/test'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { hashTypedData, verifyTypedData } from 'viem/utils'
import { openConnections } from '../client/http.ts'
import { createLoginStart, releaseShares, sendCode, useCode } from '../client/user.ts'
import { onAnotherSite } from '../pages/another-site.ts'
import { cloudButton, clouds, rememberSecrets } from '../pages/cloud-window.ts'
import { confirm, openPage, toPage } from '../pages/confirm-page.ts'
import {
  accompliceAt,
  callFrame,
  createVaultKey,
  getDialog,
  injectScript,
  newHandle,
  openHeld,
  readDialogKey,
  readRecords,
  readToken,
  readUserId,
  sender,
} from '../pages/dialog-script.ts'
import { approveExport, openExport, reveal } from '../pages/export-window.ts'
import type { HostPage } from '../pages/host-page.ts'
import { confirmAs, openWindow as openCloudWindow } from '../pages/login-window.ts'
import { beginCall } from '../pages/page-calls.ts'
import { addDevice } from '../pages/passkey-device.ts'
import { pressGated } from '../pages/pointer.ts'
import { forms } from '../pages/recorded-messages.ts'
import { openWindow, recoverWith, setPasswordRecovery } from '../pages/recovery-window.ts'
import { beginRequest, permit, someone } from '../pages/transactions.ts'
import { appId, type Stack } from '../stack/stack.ts'
import { expect, test } from '../test.ts'

const password = 'harbor-Violin-meadow-42'
type Ended = { user?: { address?: string }; code?: string }
const begin = beginCall<Ended>
const rejected = { code: 'user_rejected_request' }

// Each test opens several windows, and reads each before pressing.
test.describe.configure({ mode: 'default', timeout: 150_000 })

let wallet: Hex = '0x'

test.use({ settings: ['rpc_urls.31337=[{chain}]'], isLoggedIn: true })
test.beforeEach(async ({ context, host, inbox, sharedLogin, stack }) => {
  await injectScript(context, stack)
  if (sharedLogin) wallet = sharedLogin.wallet
  else {
    // The script is there during the login too.
    await host.open()
    await host.logIn(inbox)
    wallet = await host.walletAddress()
  }
  await host.openOneLine()
})

const allowing = (value: string) => {
  const asked = permit(wallet, 31_337)
  return { ...asked, message: { ...asked.message, value } }
}
const [small, large] = ['5000000', '9000000000']
const saysThat = (page: Page, value: string) =>
  expect(page.getByText(`This lets ${someone} take up to ${value}`)).toBeVisible({ timeout: 20_000 })
const wordsOfYes = 'Sign and continue'

async function isSignedAs(signed: () => Promise<Record<string, unknown>>, value: string) {
  const { signature } = Object((await signed()).value)
  const { types, domain, message } = allowing(value)
  const given = { address: wallet, types, domain, message, primaryType: 'Permit', signature }
  expect(await verifyTypedData(given as never)).toBe(true)
}

/** The actions of such a script, after the dialog has its wallet frame. */
async function scriptIn(page: Page, stack: Stack) {
  const dialog = getDialog(page, stack)
  const { origin: dialogOrigin } = new URL(stack.dialogOrigin)
  const { origin: walletOrigin } = new URL(stack.walletOrigin)
  const connections = openConnections(stack.serverPort, 1)
  const send = sender(dialog, connections)
  const token = await readToken(dialog)
  const userId = await readUserId(dialog)
  const call = (path: string, content: object, statement?: string) =>
    send(dialogOrigin, path, content, token, statement)
  return {
    dialog,
    userId,
    call,
    pageOf: (path: string, handle: string) => `${walletOrigin}/apps/${appId}/${path}#${handle}`,
    /** Creates a request under its own handle. */
    async put(request: object) {
      const handle = newHandle()
      const { body } = await call('/confirmations', {
        handle,
        address: wallet,
        request,
        origin: null,
        place: 'frame',
      })
      expect(body).toMatchObject({ place: 'page' })
      return { handle, digest: String(Object(body).digest) }
    },
    offer: (handle: string, digest: string) => callFrame(dialog, 'confirm:offer', { userId, handle, digest }),
    stateOf: async (handle: string) =>
      Object((await call('/confirmations/status', { handle })).body).state as string,
    end: () => connections.close(),
  }
}
/** Returns a permit with its domain types, as the dialog sends it, and its hash. */
function permitOf(value: string) {
  const asked = allowing(value)
  const EIP712Domain = [
    { name: 'name', type: 'string' },
    { name: 'version', type: 'string' },
    { name: 'chainId', type: 'uint256' },
    { name: 'verifyingContract', type: 'address' },
  ]
  const domain = { ...asked.domain, chainId: String(asked.domain.chainId) }
  const data = { ...asked, domain, types: { EIP712Domain, ...asked.types } }
  const params = [wallet, JSON.stringify(data), hashTypedData(data as never)]
  return { method: 'eth_signTypedData_v4', params }
}

/** Opens the card of a permit. Returns the handle of its request. */
async function askForPermit(host: HostPage, value: string) {
  const { page, stack } = host
  const signed = await beginRequest(page, 'signTypedData', allowing(value))
  await expect(toPage(host.dialog)).toBeVisible()
  const script = await scriptIn(page, stack)
  const { hash } = new URL(await buttonFrame(script.dialog).evaluate(({ src }: HTMLIFrameElement) => src))
  return { signed, script, handle: hash.slice(1) }
}
const buttonFrame = (dialog: Frame) => dialog.locator('iframe[title="Continue to confirm"]')

/** Covers the card with a label. Presses pass through it, or hit it. */
const drawOver = (dialog: Frame, label: string, passesOn: boolean) =>
  dialog.evaluate(
    ([words, isPassedOn]) => {
      document.getElementById('look-alike')?.remove()
      const drawn = document.createElement('button')
      drawn.id = 'look-alike'
      drawn.textContent = words
      drawn.style.cssText = `position:fixed;inset:0;z-index:2147483647;background:#fff;pointer-events:${isPassedOn ? 'none' : 'auto'}`
      document.body.append(drawn)
    },
    [label, passesOn] as const,
  )

test('clickjacking on the wallet button opens the page and approves nothing', async ({ context, host }) => {
  const { signed, script, handle } = await askForPermit(host, small)
  // The real button is enlarged and transparent, below a promise.
  await drawOver(script.dialog, 'Claim your prize', true)
  await buttonFrame(script.dialog).evaluate((frame) => {
    frame.style.setProperty('opacity', '0.01')
    frame.style.setProperty('transform', 'scale(1.2)')
  })
  const opened = await openPage(host, context)
  await saysThat(opened, small)
  // Then the page itself, framed on the card.
  await host.page.bringToFront()
  await drawOver(script.dialog, wordsOfYes, false)
  await host.dialog.locator('#look-alike').click()
  expect(await script.stateOf(handle)).toBe('open')
  await opened.bringToFront()
  await confirm(opened, wordsOfYes)
  await isSignedAs(signed, small)
  script.end()
})

test('a page that the script opens, messages, navigates and closes approves nothing', async ({ host }) => {
  const { script } = await askForPermit(host, small)
  const { dialog, put, offer, pageOf, stateOf } = script
  const first = await put(permitOf(large))
  expect(await offer(first.handle, first.digest)).toHaveProperty('data')
  const held = await openHeld(dialog, pageOf('confirm', first.handle))
  await saysThat(held, large)
  // Send every message that the wallet frame and the page would send to each other.
  const reached = await dialog.evaluate(
    ([handle, digest]) => {
      const held: Window = Reflect.get(globalThis, 'held')
      const channel = 'latchkey:wallet-confirm'
      const call = { v: 1, id: 'x', event: 'latchkey:approve', data: { digest } }
      const said = [
        { type: 'latchkey:page:hello', handle },
        { type: 'latchkey:page:here', handle },
        { namespace: 'penpal', channel, type: 'SYN', participantId: 'p' },
        { namespace: 'penpal', channel, type: 'CALL', id: 'x', methodPath: ['call'], args: [call] },
        { namespace: 'penpal', channel, type: 'DESTROY' },
      ]
      const frames = Array.from({ length: window.length }, (_, at) => window[at])
      for (const data of said) for (const one of [held, ...frames]) one?.postMessage(data, '*')
      const reading = [() => held.document, () => held.location.href, () => Reflect.get(held, 'name')]
      return reading.map((read) => {
        try {
          return read()
        } catch (error) {
          return error instanceof DOMException && error.name
        }
      })
    },
    [first.handle, first.digest] as const,
  )
  expect(reached).toEqual(['SecurityError', 'SecurityError', 'SecurityError'])
  await saysThat(held, large)
  expect(await stateOf(first.handle)).toBe('open')

  // A look-alike on the dialog's origin, which sends the messages of the page.
  await lead(dialog, 'about:blank')
  await held.waitForURL('about:blank')
  await held.evaluate(
    ([words, handle]) => {
      const drawn = document.createElement('button')
      drawn.textContent = words
      const answers: unknown[] = []
      Object.assign(globalThis, { answers })
      addEventListener('message', ({ data }) => answers.push(data))
      drawn.onclick = () => {
        const dialog: Window = opener
        for (let at = 0; at < dialog.length; at += 1) {
          dialog[at]?.postMessage({ type: 'latchkey:page:hello', handle }, '*')
        }
      }
      document.body.append(drawn)
    },
    [wordsOfYes, first.handle] as const,
  )
  await held.getByRole('button', { name: wordsOfYes }).click()
  // An undecided request is refused.
  await expect.poll(() => stateOf(first.handle)).toBe('refused')
  expect(await held.evaluate(() => Reflect.get(globalThis, 'answers'))).toEqual([])
  await lead(dialog, pageOf('confirm', first.handle))
  // The wallet frame talks to one page per request, once.
  await expect(held.getByRole('heading', { name: 'The app that asked is gone' })).toBeVisible({
    timeout: 40_000,
  })
  await expect(held.getByRole('button')).toHaveCount(0)
  await held.close()

  // Closing the page during a press refuses the request. The next page that opens at the same place is
  // pressed early.
  const early = await opensUnderTheHand(script)
  await dialog.evaluate(() => Reflect.get(globalThis, 'held').close())
  await expect.poll(() => stateOf(early)).toBe('refused')

  // A user who reads and presses approves what the window shows, whichever page opened it.
  const last = await put(permitOf(large))
  await offer(last.handle, last.digest)
  const read = await openHeld(dialog, pageOf('confirm', last.handle))
  await saysThat(read, large)
  await confirm(read, wordsOfYes)
  expect(await stateOf(last.handle)).toBe('approved')
  script.end()
})

const lead = (dialog: Frame, address: string) =>
  dialog.evaluate((url) => {
    Reflect.get(globalThis, 'held').location = url
  }, address)

/**
 * Returns the handle of a request whose button was pressed before it was ready. On a slow machine the press
 * may come later.
 */
async function opensUnderTheHand(script: Awaited<ReturnType<typeof scriptIn>>): Promise<string> {
  let pressed = ''
  await expect(async () => {
    const { handle, digest } = await script.put(permitOf(large))
    await script.offer(handle, digest)
    const opened = await openHeld(script.dialog, script.pageOf('confirm', handle))
    const button = opened.getByRole('button', { name: wordsOfYes })
    await button.evaluate((element: HTMLElement) =>
      element.addEventListener('pointerdown', () => (document.title = element.dataset.gate ?? ''), true),
    )
    await button.click({ force: true })
    expect(await opened.title()).not.toBe('ready')
    expect(await script.stateOf(handle)).toBe('open')
    pressed = handle
  }).toPass({ timeout: 40_000 })
  return pressed
}

test("a request other than the card's shows its own content and does not approve the card's", async ({
  context,
  host,
}) => {
  const { signed, script, handle } = await askForPermit(host, small)
  const { dialog, put, offer, pageOf, stateOf } = script
  const other = await put(permitOf(large))
  await offer(other.handle, other.digest)
  // Replaces the button on the card, and its position from then on.
  await buttonFrame(dialog).evaluate((frame: HTMLIFrameElement, name) => {
    const own = frame.cloneNode()
    if (!(own instanceof HTMLIFrameElement)) return
    const url = new URL(frame.src)
    url.hash = name
    own.src = url.href
    own.title = 'Of the script'
    frame.after(own)
    frame.style.display = 'none'
  }, other.handle)
  const ofScript = dialog.frameLocator('iframe[title="Of the script"]').getByRole('button')
  const shown = await openPage(host, context, ofScript)
  await saysThat(shown, large)
  expect([await stateOf(handle), await stateOf(other.handle)]).toEqual(['open', 'open'])
  await shown.getByRole('button', { name: 'Refuse' }).click()
  await expect.poll(() => stateOf(other.handle)).toBe('refused')
  expect(await stateOf(handle)).toBe('open')

  // A request with a mismatched digest shows its own content, and its approval is rejected.
  const mixed = await put(permitOf(large))
  await offer(
    mixed.handle,
    other.digest.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
  )
  const read = await openHeld(dialog, pageOf('confirm', mixed.handle))
  await saysThat(read, large)
  await pressGated(read.getByRole('button', { name: wordsOfYes }))
  await expect.poll(() => stateOf(mixed.handle)).toBe('refused')

  // The card's request is still pending, and its own button opens it.
  await host.page.bringToFront()
  await dialog.evaluate(() => document.querySelector('iframe[title="Of the script"]')?.remove())
  await buttonFrame(dialog).evaluate((frame) => frame.style.removeProperty('display'))
  const ofCard = await openPage(host, context)
  await saysThat(ofCard, small)
  await confirm(ofCard, wordsOfYes)
  await isSignedAs(signed, small)
  script.end()
})

test('a site login that the script requests is named on the wallet page, even among invalid bytes', async ({
  host,
  page,
  stack,
}) => {
  const { dialog, call, put, offer, pageOf, stateOf, end } = await scriptIn(page, stack)
  const signIn = `bank.example wants you to sign in with your Ethereum account:\n${wallet}`
  const hidden = [
    Buffer.from(signIn),
    Buffer.from(`\u200b${signIn}`),
    Buffer.of(...Buffer.from(signIn), 0xff),
    Buffer.of(0xff, 0x0a, ...Buffer.from(signIn)),
  ].map((bytes) => ({ method: 'personal_sign', params: [`0x${bytes.toString('hex')}`, wallet] }))
  for (const request of hidden) {
    for (const [origin, place] of [
      [null, 'silent'],
      [new URL(stack.hostOrigin).origin, 'frame'],
    ] as const) {
      const asked = { handle: newHandle(), address: wallet, request, origin, place }
      expect(await call('/confirmations', asked)).toMatchObject({ status: 200, body: { place: 'page' } })
    }
  }
  const [plain] = hidden
  if (!plain) throw new Error('No request found')
  const { handle, digest } = await put(plain)
  await offer(handle, digest)
  const shown = await openHeld(dialog, pageOf('confirm', handle))
  await expect(shown.getByText(/^This logs you in at bank\.example\./)).toBeVisible({ timeout: 20_000 })
  await shown.getByRole('button', { name: 'Refuse' }).click()
  await expect.poll(() => stateOf(handle)).toBe('refused')
  await host.page.bringToFront()
  end()
})

test('an export window that the script opens releases nothing and keeps the key from the script', async ({
  host,
  page,
  stack,
}) => {
  const exported = await begin(page, 'exportWallet')
  await expect(host.dialog.getByRole('heading', { name: 'Transfer Wallet' })).toBeVisible()
  const script = await scriptIn(page, stack)
  const { dialog, call, userId, put } = script
  const { handle, digest } = await put({ method: 'export', params: [wallet] })
  const window = newHandle()
  const begun = callFrame(dialog, 'export:begin', { window, address: wallet })
  const held = await openHeld(dialog, script.pageOf('embedded-wallets/export', window))
  const { data: { publicKey } = {} } = await begun
  const confirmed = callFrame(dialog, 'export:confirm', { window, userId, handle, digest })
  await expect(held.getByRole('button', { name: 'Show my key' })).toBeVisible()

  const { data: { operationId } = {} } = await callFrame(dialog, 'operation:begin', {})
  const operation = { id: operationId, step: 1 }
  const stated = {
    purpose: 'export',
    operation,
    address: wallet,
    digest,
    dialogKey: await readDialogKey(dialog),
  }
  const { data: { statement } = {} } = await callFrame(dialog, 'operation:state', {
    ...stated,
    userId,
    window,
  })
  const step = { operation, purpose: 'export', address: wallet, confirmation: handle }
  // Without an approval there is no token, neither for the window's key nor for the script's own.
  for (const key of [publicKey, await createVaultKey()]) {
    const answer = await call('/wallets/token', { ...step, public_key: key }, String(statement))
    expect(answer).toMatchObject({ body: { code: 'approval_required_elsewhere' } })
  }
  // The wallet frame accepts no vault key from the dialog, and knows no other window.
  const forOwnKey = { ...stated, vaultKey: await createVaultKey(), userId, window: newHandle() }
  expect(await callFrame(dialog, 'operation:state', forOwnKey)).toMatchObject({
    error: { details: { code: 'not_found' } },
  })
  const release = { accessToken: await readToken(dialog), operation, address: wallet, window }
  expect(await callFrame(dialog, 'wallet:export', release)).toMatchObject({ error: { type: 'not_found' } })
  const cancel = held.getByRole('button', { name: 'Cancel' })
  // The window may close before the click resolves. Its effect is checked below.
  await cancel.click().catch(() => {})
  expect(await confirmed).toMatchObject({ error: { type: 'user_rejected_request' } })

  // From the card's own button the user sees the key, and the script does not.
  const own = await openExport(host)
  await approveExport(own)
  const key = await reveal(own, 'private key', 'key')
  expect(privateKeyToAccount(key as Hex).address).toBe(wallet)
  await host.dialog.getByRole('button', { name: 'Done' }).click()
  expect(await exported()).not.toHaveProperty('code')
  await hearsNothingOf(dialog, [key.slice(2), ...forms(Buffer.from(key.slice(2), 'hex'))], 'export:begin')
  script.end()
})

/** The script sees that something happened, but none of its secrets. */
async function hearsNothingOf(dialog: Frame, secrets: readonly string[], heard: string) {
  // The card may show its next screen before the dialog sends the message.
  await expect.poll(() => readRecords(dialog), { timeout: 30_000 }).toContain(heard)
  const all = await readRecords(dialog)
  for (const secret of secrets) expect(all.includes(secret)).toBe(false)
}

test.describe('a recovery method', () => {
  test.use({ isLoggedIn: false })
  test.beforeEach(async ({ host, stack }) => {
    const options = JSON.stringify(['passkey', 'google-drive', 'icloud', 'user-passcode'])
    await stack.app('set', appId, `embedded_wallet_config.user_owned_recovery_options=${options}`)
    await host.openOneLine()
  })

  const spelled = [password, ...forms(new TextEncoder().encode(password))]

  test('by password: the script sees that a password was entered, but not which', async ({
    context,
    host,
    inbox,
    page,
    stack,
  }) => {
    await setPasswordRecovery(host, password)
    await hearsNothingOf(getDialog(page, stack), spelled, 'recovery:ask')

    const there = await onAnotherSite(await context.newPage(), stack, inbox)
    const signed = await begin(there.page, 'signMessage', 'hello')
    await expect(there.shown.getByRole('heading', { name: 'Enter your password' })).toBeVisible()
    const script = await scriptIn(there.page, stack)
    // The script opens the window with its own name and handle.
    const window = newHandle()
    const asked = { window, method: 'user-passcode', purpose: 'recover', address: wallet }
    const given = callFrame(script.dialog, 'recovery:ask', asked)
    const held = await openHeld(script.dialog, script.pageOf('recovery', window))
    await held.getByLabel('Recovery password').fill(password)
    await held.getByRole('button', { name: 'Recover' }).click()
    expect(await given).toMatchObject({ data: {} })
    expect(Object.keys((await given).data ?? {})).toEqual([])
    await callFrame(script.dialog, 'recovery:end', { window })
    await there.page.bringToFront()

    await recoverWith(there, password)
    await there.approveButton.waitFor({ timeout: 30_000 })
    await hearsNothingOf(script.dialog, spelled, 'wallet:recover')
    // After a window closes, another page may be in front, and a page behind receives no keys.
    await there.page.bringToFront()
    await there.escape()
    expect(await signed()).toEqual(rejected)
    script.end()
  })

  test('by passkey: only the wallet window may use it, no page of the dialog', async ({
    host,
    page,
    stack,
  }) => {
    const set = await begin(page, 'setWalletRecovery')
    await choose(host, 'Passkey')
    const window = await openWindow(host)
    const device = await addDevice(window, { prf: true })
    await window.getByRole('button', { name: 'Create passkey' }).click()
    await pressGated(window.getByRole('button', { name: 'Use this passkey' }))
    await isSecured(host)
    expect(await set()).not.toHaveProperty('code')
    expect(await device.passkeys()).toBe(1)
    await device.takeTo(page)
    const refusalOf = (rpId: string) =>
      getDialog(page, stack).evaluate(
        (id) =>
          navigator.credentials
            .get({ publicKey: { challenge: new Uint8Array(32), rpId: id, timeout: 2_000 } })
            .then(
              () => 'given',
              ({ name }: DOMException) => name,
            ),
        rpId,
      )
    expect(await refusalOf(new URL(stack.walletOrigin).hostname)).toBe('SecurityError')
    // The script may use the dialog's own relying party id, which has no passkey.
    expect(await refusalOf(new URL(stack.dialogOrigin).hostname)).toBe('NotAllowedError')
  })

  for (const cloud of ['google-drive', 'icloud'] as const) {
    test(`in ${cloud}: a response that the script forges is ignored, and it does not receive the real one`, async ({
      context,
      host,
      page,
      somebody,
      stack,
    }) => {
      const secrets = rememberSecrets(context)
      const set = await begin(page, 'setWalletRecovery')
      const { title } = clouds[cloud]
      await choose(host, cloud === 'icloud' ? 'Apple iCloud backup' : 'Google Drive backup')
      await expect(host.shown.getByRole('heading', { name: `Back up to ${title}` })).toBeVisible()
      const script = await scriptIn(page, stack)
      const window = newHandle()
      const asked = { window, method: cloud, purpose: 'set', address: wallet }
      const given = callFrame(script.dialog, 'recovery:ask', asked)
      const held = await openHeld(script.dialog, script.pageOf('recovery', window))
      const ofCloud = await openCloudWindow(
        context,
        held.getByRole('button', { name: `Continue with ${title}` }),
      )
      await forgeAnswers(script.dialog, context, stack)
      // It still waits for the cloud.
      await expect(held.getByRole('button', { name: /^Use |^Press again$/ })).toHaveCount(0)
      await confirmAs(ofCloud, somebody)
      expect(Object.keys((await given).data ?? { none: '' })).toEqual([])
      await callFrame(script.dialog, 'recovery:end', { window })
      await page.bringToFront()

      const ofCard = await openCloudWindow(context, cloudButton(host.dialog))
      await confirmAs(
        await openCloudWindow(context, ofCard.getByRole('button', { name: `Continue with ${title}` })),
        somebody,
      )
      await pressGated(ofCard.getByRole('button', { name: `Use ${title}`, exact: true }))
      await isSecured(host)
      expect((await set()).user?.address).toBe(wallet)
      expect([...secrets.keys()]).toEqual([cloud])
      await hearsNothingOf(script.dialog, [...secrets.values()], 'recovery:ask')
      script.end()
    })
  }

  for (const { kept, gets } of [
    { kept: 'automatically', gets: 'its shares, and the user is notified' },
    { kept: 'by a password', gets: 'no share' },
  ] as const) {
    test(`${kept}: a script that drew the login form for the user's code gets ${gets}`, async ({
      host,
      inbox,
      page,
      stack,
    }) => {
      if (kept === 'by a password') await setPasswordRecovery(host, password)
      const place = accompliceAt(stack)
      // After a logout the user logs in again, in the form that the script drew.
      await getDialog(page, stack).evaluate(
        (name) => localStorage.removeItem(name),
        `latchkey:${appId}:session`,
      )
      await host.openOneLine()
      await page.evaluate(() => void latchkey.login().catch(() => {}))
      await expect(host.emailField).toBeVisible()
      const dialog = getDialog(page, stack)
      await drawLogin(dialog)
      const typed = async (label: string, text: string) => {
        await host.dialog.getByLabel(label, { exact: true }).fill(text)
        return dialog.evaluate(
          (id) => (document.getElementById(id) as HTMLInputElement).value,
          `look-alike-${label}`,
        )
      }
      const accomplice = { ...createLoginStart(), email: await typed('address', inbox.address) }
      await sendCode(place, accomplice)
      const session = await useCode(place, accomplice, await typed('code', await inbox.nextCode()))
      const released = releaseShares(place, session, wallet)
      if (kept === 'automatically') {
        await released
        const told = async () => (await inbox.nextMail()).subject
        await expect.poll(told).toContain('Your wallet was recovered on a new device in ')
      } else {
        await expect(released).rejects.toThrow('disallowed_recovery_method')
      }
      place.connections.close()
    })
  }
})

const choose = ({ shown }: HostPage, name: string) => shown.getByRole('button', { name, exact: true }).click()

const isSecured = ({ shown }: HostPage) =>
  expect(shown.getByRole('heading', { name: 'Your account is secured' })).toBeVisible({ timeout: 30_000 })

/**
 * Sends forged responses, in the format of Google's and Apple's pages, from everywhere that the script
 * reaches.
 */
async function forgeAnswers(dialog: Frame, context: BrowserContext, { walletOrigin }: Stack) {
  const state = newHandle()
  await dialog.evaluate((guess) => {
    const held: Window = Reflect.get(globalThis, 'held')
    for (const data of [
      { ckSession: 'forged' },
      { type: 'answer', state: guess, code: 'forged', error: '' },
    ]) {
      held.postMessage(data, '*')
      new BroadcastChannel('latchkey:recovery:cloud').postMessage(data)
    }
  }, state)
  const callback = `${new URL(walletOrigin).origin}/recovery/callback/google-drive?code=forged&state=${state}`
  const [forged] = await Promise.all([
    context.waitForEvent('page'),
    dialog.evaluate((url) => void open(url, 'another-name'), callback),
  ])
  await forged.waitForURL((url) => url.search === '')
  await forged.close()
}

const drawLogin = (dialog: Frame) =>
  dialog.evaluate(() => {
    const drawn = document.createElement('form')
    drawn.style.cssText = 'position:fixed;inset:0;z-index:2147483647;background:#fff'
    for (const label of ['address', 'code']) {
      const field = document.createElement('input')
      field.id = `look-alike-${label}`
      field.ariaLabel = label
      drawn.append(field)
    }
    document.body.append(drawn)
  })
