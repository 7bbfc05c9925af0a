/**
 * A script in the dialog's page that deceives: it draws look-alikes in the card, opens, holds and replaces windows, logs
 * its user out and asks for the next login itself. What it can do by calls alone is in `hostile-dialog.e2e.ts`.
 */
import type { BrowserContext, Frame, Page } from '@playwright/test'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { hashTypedData, verifyTypedData } from 'viem/utils'
import { openConnections } from '../client/http.ts'
import { newBeginning, releaseShares, sendCode, useCode } from '../client/user.ts'
import { onAnotherSite } from '../pages/another-site.ts'
import { cloudButton, clouds, rememberSecrets } from '../pages/cloud-window.ts'
import { confirm, openPage, toPage } from '../pages/confirm-page.ts'
import {
  accompliceAt,
  askFrame,
  comeBefore,
  dialogKeyIn,
  dialogOf,
  heardIn,
  newHandle,
  openHeld,
  ownVaultKey,
  sender,
  tokenIn,
  userIdIn,
} from '../pages/dialog-script.ts'
import { approveExport, openExport, reveal } from '../pages/export-window.ts'
import type { HostPage } from '../pages/host-page.ts'
import { confirmAs, openWindow as openCloudWindow } from '../pages/login-window.ts'
import { beginCall } from '../pages/page-calls.ts'
import { addDevice } from '../pages/passkey-device.ts'
import { pressGated } from '../pages/pointer.ts'
import { forms } from '../pages/recorded-messages.ts'
import { keepByPassword, openWindow, recoverWith } from '../pages/recovery-window.ts'
import { beginRequest, permit, someone } from '../pages/transactions.ts'
import { appId, type Stack } from '../stack/stack.ts'
import { expect, test } from '../test.ts'

const password = 'harbor-Violin-meadow-42'
type Ended = { user?: { address?: string }; code?: string }
const begin = beginCall<Ended>
const rejected = { code: 'user_rejected_request' }

// Several windows, of which each is read before it is pressed.
test.describe.configure({ timeout: 150_000 })

let wallet: Hex = '0x'

test.use({ settings: ['rpc_urls.31337=[{chain}]'], isLoggedIn: true })
test.beforeEach(async ({ context, host, inbox, isLoggedIn, stack }) => {
  await comeBefore(context, stack)
  await host.open()
  if (!isLoggedIn) await host.logIn(inbox)
  wallet = (await host.walletAddress()) as Hex
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

/** What such a script does by calls, once the dialog has its wallet frame. */
async function scriptIn(page: Page, stack: Stack) {
  const dialog = dialogOf(page, stack)
  const { origin: dialogOrigin } = new URL(stack.dialogOrigin)
  const { origin: walletOrigin } = new URL(stack.walletOrigin)
  const connections = openConnections(stack.serverPort, 1)
  const send = sender(dialog, connections)
  const token = await tokenIn(dialog)
  const userId = await userIdIn(dialog)
  const call = (path: string, content: object, statement?: string) =>
    send(dialogOrigin, path, content, token, statement)
  return {
    dialog,
    userId,
    call,
    pageOf: (path: string, handle: string) => `${walletOrigin}/apps/${appId}/${path}#${handle}`,
    /** Under a handle of its own. */
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
    offer: (handle: string, digest: string) => askFrame(dialog, 'confirm:offer', { userId, handle, digest }),
    stateOf: async (handle: string) =>
      Object((await call('/confirmations/status', { handle })).body).state as string,
    end: () => connections.close(),
  }
}
/** A permit with the types of its domain, as the dialog sends it, and its hash. */
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

/** The card that leads to the page, and the handle of what it asks for. */
async function askForPermit(host: HostPage, value: string) {
  const { page, stack } = host
  const signed = await beginRequest(page, 'signTypedData', allowing(value))
  await expect(toPage(host.dialog)).toBeVisible()
  const script = await scriptIn(page, stack)
  const { hash } = new URL(await buttonFrame(script.dialog).evaluate(({ src }: HTMLIFrameElement) => src))
  return { signed, script, handle: hash.slice(1) }
}
const buttonFrame = (dialog: Frame) => dialog.locator('iframe[title="Continue to confirm"]')

/** Over all of the card: what it says is seen, and a press goes through it, or is its own. */
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

test('a press that is lured onto the button of the wallet opens the page, and approves nothing', async ({
  context,
  host,
}) => {
  const { signed, script, handle } = await askForPermit(host, small)
  // The button is larger, unseen, and below a promise.
  await drawOver(script.dialog, 'Claim your prize', true)
  await buttonFrame(script.dialog).evaluate((frame) => {
    frame.style.setProperty('opacity', '0.01')
    frame.style.setProperty('transform', 'scale(1.2)')
  })
  const opened = await openPage(host, context)
  await saysThat(opened, small)
  // And then the page itself, on the card.
  await host.page.bringToFront()
  await drawOver(script.dialog, wordsOfYes, false)
  await host.dialog.locator('#look-alike').click()
  expect(await script.stateOf(handle)).toBe('open')
  await opened.bringToFront()
  await confirm(opened, wordsOfYes)
  await isSignedAs(signed, small)
  script.end()
})

test('a page that the script opens, holds, speaks to, leads away and back, and closes approves nothing', async ({
  host,
}) => {
  const { script } = await askForPermit(host, small)
  const { dialog, put, offer, pageOf, stateOf } = script
  const first = await put(permitOf(large))
  expect(await offer(first.handle, first.digest)).toHaveProperty('data')
  const held = await openHeld(dialog, pageOf('confirm', first.handle))
  await saysThat(held, large)
  // Whatever the wallet frame would say to it, and whatever it would say to the wallet frame.
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

  // A look-alike of the dialog's own origin, which says what the page would say.
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
  // It was left undecided, which is a refusal.
  await expect.poll(() => stateOf(first.handle)).toBe('refused')
  expect(await held.evaluate(() => Reflect.get(globalThis, 'answers'))).toEqual([])
  await lead(dialog, pageOf('confirm', first.handle))
  // The wallet frame speaks with one page of a request, once.
  await expect(held.getByRole('heading', { name: 'The app that asked is gone' })).toBeVisible({
    timeout: 40_000,
  })
  await expect(held.getByRole('button')).toHaveCount(0)
  await held.close()

  // What it closes under the hand of its user is refused too; and another page comes up there, and is pressed at once.
  const early = await opensUnderTheHand(script)
  await dialog.evaluate(() => Reflect.get(globalThis, 'held').close())
  await expect.poll(() => stateOf(early)).toBe('refused')

  // Read and pressed, it approves what it shows, whoever opened it.
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

/** The handle of a request whose button was pressed before it was ready; a slow machine gets there too late. */
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

test('another request than the one on the card is shown as what it is, and approves nothing of the card', async ({
  context,
  host,
}) => {
  const { signed, script, handle } = await askForPermit(host, small)
  const { dialog, put, offer, pageOf, stateOf } = script
  const other = await put(permitOf(large))
  await offer(other.handle, other.digest)
  // In the place of the card's own button, and from then on as that.
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

  // One that is offered with another digest is shown as what it is, and the yes to it is worth nothing.
  const mixed = await put(permitOf(large))
  await offer(
    mixed.handle,
    other.digest.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
  )
  const read = await openHeld(dialog, pageOf('confirm', mixed.handle))
  await saysThat(read, large)
  await pressGated(read.getByRole('button', { name: wordsOfYes }))
  await expect.poll(() => stateOf(mixed.handle)).toBe('refused')

  // What the card asks for waits still, and its own button leads there.
  await host.page.bringToFront()
  await dialog.evaluate(() => document.querySelector('iframe[title="Of the script"]')?.remove())
  await buttonFrame(dialog).evaluate((frame) => frame.style.removeProperty('display'))
  const ofCard = await openPage(host, context)
  await saysThat(ofCard, small)
  await confirm(ofCard, wordsOfYes)
  await isSignedAs(signed, small)
  script.end()
})

test('a login at another site that the script requests is named on the wallet page, also among invalid bytes', async ({
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
  if (!plain) throw new Error('No request')
  const { handle, digest } = await put(plain)
  await offer(handle, digest)
  const shown = await openHeld(dialog, pageOf('confirm', handle))
  await expect(shown.getByText(/^This logs you in at bank\.example\./)).toBeVisible({ timeout: 20_000 })
  await shown.getByRole('button', { name: 'Refuse' }).click()
  await expect.poll(() => stateOf(handle)).toBe('refused')
  await host.page.bringToFront()
  end()
})

test('a window of an export that the script opens releases nothing to it and keeps the key from it', async ({
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
  const begun = askFrame(dialog, 'export:begin', { window, address: wallet })
  const held = await openHeld(dialog, script.pageOf('embedded-wallets/export', window))
  const { data: { publicKey } = {} } = await begun
  const confirmed = askFrame(dialog, 'export:confirm', { window, userId, handle, digest })
  await expect(held.getByRole('button', { name: 'Show my key' })).toBeVisible()

  const { data: { operationId } = {} } = await askFrame(dialog, 'operation:begin', {})
  const operation = { id: operationId, step: 1 }
  const stated = {
    purpose: 'export',
    operation,
    address: wallet,
    digest,
    dialogKey: await dialogKeyIn(dialog),
  }
  const { data: { statement } = {} } = await askFrame(dialog, 'operation:state', {
    ...stated,
    userId,
    window,
  })
  const step = { operation, purpose: 'export', address: wallet, confirmation: handle }
  // Nobody has said yes, and so there is no token for the key of the window, nor for one of the script's own.
  for (const key of [publicKey, await ownVaultKey()]) {
    const answer = await call('/wallets/token', { ...step, public_key: key }, String(statement))
    expect(answer).toMatchObject({ body: { code: 'approval_required_elsewhere' } })
  }
  // The wallet frame takes no key from the dialog, and knows no other window.
  const forOwnKey = { ...stated, vaultKey: await ownVaultKey(), userId, window: newHandle() }
  expect(await askFrame(dialog, 'operation:state', forOwnKey)).toMatchObject({
    error: { details: { code: 'not_found' } },
  })
  const release = { accessToken: await tokenIn(dialog), operation, address: wallet, window }
  expect(await askFrame(dialog, 'wallet:export', release)).toMatchObject({ error: { type: 'not_found' } })
  const cancel = held.getByRole('button', { name: 'Cancel' })
  // The window may go before the click is told; what it led to is looked at below.
  await cancel.click().catch(() => {})
  expect(await confirmed).toMatchObject({ error: { type: 'user_rejected_request' } })

  // By the button of the card its user sees the key, and the script does not.
  const own = await openExport(host)
  await approveExport(own)
  const key = await reveal(own, 'private key', 'key')
  expect(privateKeyToAccount(key as Hex).address).toBe(wallet)
  await host.dialog.getByRole('button', { name: 'Done' }).click()
  expect(await exported()).not.toHaveProperty('code')
  await hearsNothingOf(dialog, [key.slice(2), ...forms(Buffer.from(key.slice(2), 'hex'))], 'export:begin')
  script.end()
})

/** It heard that something went on, and nothing of what that was about. */
async function hearsNothingOf(dialog: Frame, secrets: readonly string[], heard: string) {
  const all = await heardIn(dialog)
  expect(all).toContain(heard)
  for (const secret of secrets) expect(all.includes(secret)).toBe(false)
}

test.describe('a wallet that its user keeps', () => {
  test.use({ isLoggedIn: false })
  test.beforeEach(async ({ host, stack }) => {
    const options = JSON.stringify(['passkey', 'google-drive', 'icloud', 'user-passcode'])
    await stack.app('set', appId, `embedded_wallet_config.user_owned_recovery_options=${options}`)
    await host.openOneLine()
  })

  const spelled = [password, ...forms(new TextEncoder().encode(password))]

  test('by a password: it is typed where the script hears that something was given, and not what', async ({
    context,
    host,
    inbox,
    page,
    stack,
  }) => {
    await keepByPassword(host, password)
    await hearsNothingOf(dialogOf(page, stack), spelled, 'recovery:ask')

    const there = await onAnotherSite(await context.newPage(), stack, inbox)
    const signed = await begin(there.page, 'signMessage', 'hello')
    await expect(there.shown.getByRole('heading', { name: 'Enter your password' })).toBeVisible()
    const script = await scriptIn(there.page, stack)
    // Into a window that the script opened, under a name and a handle of its own.
    const window = newHandle()
    const asked = { window, method: 'user-passcode', purpose: 'recover', address: wallet }
    const given = askFrame(script.dialog, 'recovery:ask', asked)
    const held = await openHeld(script.dialog, script.pageOf('recovery', window))
    await held.getByLabel('Recovery password').fill(password)
    await held.getByRole('button', { name: 'Recover' }).click()
    expect(await given).toMatchObject({ data: {} })
    expect(Object.keys((await given).data ?? {})).toEqual([])
    await askFrame(script.dialog, 'recovery:end', { window })
    await there.page.bringToFront()

    await recoverWith(there, password)
    await there.approveButton.waitFor({ timeout: 30_000 })
    await hearsNothingOf(script.dialog, spelled, 'wallet:recover')
    await there.escape()
    expect(await signed()).toEqual(rejected)
    script.end()
  })

  test('by a passkey: no page of the dialog may ask it, and the window of the wallet may', async ({
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
      dialogOf(page, stack).evaluate(
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
    // It may ask in its own name, for which there is no passkey.
    expect(await refusalOf(new URL(stack.dialogOrigin).hostname)).toBe('NotAllowedError')
  })

  for (const cloud of ['google-drive', 'icloud'] as const) {
    test(`in ${cloud}: an answer that the script forges is none, and the one of the cloud it does not hear`, async ({
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
      const given = askFrame(script.dialog, 'recovery:ask', asked)
      const held = await openHeld(script.dialog, script.pageOf('recovery', window))
      const ofCloud = await openCloudWindow(
        context,
        held.getByRole('button', { name: `Continue with ${title}` }),
      )
      await forgeAnswers(script.dialog, context, stack)
      // It waits for the cloud as before.
      await expect(held.getByRole('button', { name: /^Use |^Press again$/ })).toHaveCount(0)
      await confirmAs(ofCloud, somebody)
      expect(Object.keys((await given).data ?? { none: '' })).toEqual([])
      await askFrame(script.dialog, 'recovery:end', { window })
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
    { kept: 'automatically', gets: 'its shares, and its user is told' },
    { kept: 'by a password', gets: 'no share' },
  ] as const) {
    test(`${kept}: who drew the login that its user typed a code into gets ${gets}`, async ({
      host,
      inbox,
      page,
      stack,
    }) => {
      if (kept === 'by a password') await keepByPassword(host, password)
      const place = accompliceAt(stack)
      // Logged out, and whoever logs in again does so in what the script drew.
      await dialogOf(page, stack).evaluate(
        (name) => localStorage.removeItem(name),
        `latchkey:${appId}:session`,
      )
      await host.openOneLine()
      await page.evaluate(() => void latchkey.login().catch(() => {}))
      await expect(host.emailField).toBeVisible()
      const dialog = dialogOf(page, stack)
      await drawLogin(dialog)
      const typed = async (label: string, text: string) => {
        await host.dialog.getByLabel(label, { exact: true }).fill(text)
        return dialog.evaluate(
          (id) => (document.getElementById(id) as HTMLInputElement).value,
          `look-alike-${label}`,
        )
      }
      const accomplice = { ...newBeginning(), email: await typed('address', inbox.address) }
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

/** Sends answers like those of Google's and Apple's pages, from everywhere that the script reaches. */
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
