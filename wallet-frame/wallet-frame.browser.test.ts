/**
 * The built wallet frame in a real browser: real worker, real IndexedDB, partitioned storage, real policies.
 */
import type { WalletPurpose } from '@latchkey/protocol/wallet'
import { type BrowserContext, chromium, type Frame, type Page, type Worker } from 'playwright'
import { verifyMessage } from 'viem/utils'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { headlessShell } from '../scripts/local/chromium.ts'
import type { DialogPage } from './testing/browser/dialog-page.ts'
import { type Answer, call, logIn } from './testing/browser/own-pages.ts'
import { openStage } from './testing/browser/stage.ts'
import { messageDigest } from './testing/digests.ts'

const PORT = 4320

const browser = await chromium.launch(headlessShell())
let stage: Awaited<ReturnType<typeof openStage>>
let context: BrowserContext
let users = 0
let userId = ''
const complaints: string[] = []

beforeAll(async () => {
  stage = await openStage(PORT)
})
afterAll(async () => {
  await browser.close()
  stage.close()
})
beforeEach(async () => {
  context = await browser.newContext()
  userId = `user_${++users}`
  complaints.length = 0
})
afterEach(async () => {
  stage.stripPolicies(false)
  await context.close()
})

async function open(host: string): Promise<{ page: Page; dialog: Frame }> {
  const page = await context.newPage()
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  await page.goto(stage.originOf(host))
  const dialog =
    page.frames().find((frame) => frame.url().startsWith(stage.originOf('dialog'))) ?? page.mainFrame()
  await dialog.waitForFunction(() => 'latchkey' in globalThis)
  return { page, dialog }
}
/** Calls as the dialog does: each call has an operation, and a token for its first step. */
async function inOperation(dialog: Frame, name: string, data: object = {}, digest?: string) {
  await logIn(dialog, userId)
  const { data: begun } = await call(dialog, 'operation:begin', {})
  const operation = { id: String(begun?.operationId), step: 1 }
  const claims = {
    sub: userId,
    publicKey: String(begun?.publicKey),
    operation,
    purpose: purposes[name] ?? 'sign',
    ...(digest !== undefined && { digest }),
  }
  return call(dialog, name, { accessToken: stage.server.tokenFor(claims), operation, ...data })
}
const purposes: Record<string, WalletPurpose> = {
  'wallet:create': 'create',
  'wallet:connect': 'connect',
  'wallet:recover': 'recover',
}
const create = async (dialog: Frame) => {
  const { data } = await inOperation(dialog, 'wallet:create')
  return { address: String(data?.address), onDevice: data?.onDevice }
}
const sign = async (dialog: Frame, address: string, message = 'hello') => {
  const request = { method: 'personal_sign', params: [message, address] }
  return inOperation(dialog, 'wallet:rpc', { address, request }, messageDigest(message))
}
const isSigned = ({ data }: Answer, address: string) =>
  verifyMessage({
    address: address as `0x${string}`,
    message: 'hello',
    signature: (data as { response: { data: `0x${string}` } }).response.data,
  })
const walletFrame = (page: Page) => page.frames().find((frame) => frame.url().includes('embedded-wallets'))

async function vaultOf(page: Page): Promise<Worker> {
  const worker = page.workers().find((started) => started.url().includes('/vault-'))
  return worker ?? page.waitForEvent('worker')
}

describe('the wallet frame in a page of the app', () => {
  // spec W7.23, W7.24, W7.26, W7.28
  it('reports ready once, creates, connects and signs, without a browser complaint', async () => {
    const { dialog } = await open('host')
    const { address } = await create(dialog)
    expect(await inOperation(dialog, 'wallet:connect', { address })).toEqual({ data: { address } })
    expect(await isSigned(await sign(dialog, address), address)).toBe(true)
    const reports = () =>
      dialog.evaluate(() => (globalThis as unknown as { latchkey: DialogPage }).latchkey.readyReports())
    await expect.poll(reports).toBe(1)
    expect(complaints).toEqual([])
  })

  it.each([
    ['the page around the dialog', 'host', true],
    ['no site if the dialog stands at the top', 'dialog', false],
  ])('signs a sign-in message at %s', async (_where, opened, isSignedThere) => {
    const { dialog } = await open(opened)
    const { address } = await create(dialog)
    const signIn = (origin: string) =>
      `${new URL(origin).host} wants you to sign in with your Ethereum account:\n${address}`
    const refused = { error: 'invalid_request_arguments' }
    const signed = { data: { address, response: expect.anything() } }
    expect(await sign(dialog, address, signIn(stage.originOf('host')))).toEqual(
      isSignedThere ? signed : refused,
    )
    for (const elsewhere of ['other-host', 'dialog'].map(stage.originOf)) {
      expect(await sign(dialog, address, signIn(elsewhere))).toEqual(refused)
    }
    expect(await sign(dialog, address)).toEqual(signed)
  })

  it('has the wallet again after a reload', async () => {
    const { page, dialog } = await open('host')
    const { address } = await create(dialog)
    await page.close()
    const next = await open('host')
    expect(await inOperation(next.dialog, 'wallet:connect', { address })).toEqual({ data: { address } })
    expect(await isSigned(await sign(next.dialog, address), address)).toBe(true)
  })

  // spec W7.22
  it('creates one wallet for two concurrent creates, each with its own token', async () => {
    const { dialog } = await open('host')
    const before = stage.server.asked.length
    const [first, second] = await Promise.all([create(dialog), create(dialog)])
    expect(second).toEqual(first)
    expect(stage.server.asked.slice(before).map(({ path }) => path)).toEqual([
      '/wallets/begin',
      '/wallets/commit',
    ])
  })

  it('opens a released share once', async () => {
    const { dialog } = await open('host')
    const { address } = await create(dialog)
    const { data: begun } = await call(dialog, 'operation:begin', {})
    const operation = { id: String(begun?.operationId), step: 1 }
    const claims = { sub: userId, publicKey: String(begun?.publicKey), operation, purpose: 'sign' as const }
    const request = { method: 'personal_sign', params: ['hello', address] }
    const rpc = () =>
      call(dialog, 'wallet:rpc', {
        accessToken: stage.server.tokenFor(claims),
        operation,
        address,
        request,
      })
    expect(await isSigned(await rpc(), address)).toBe(true)
    expect(await rpc()).toEqual({ error: 'vault_operation_unknown' })
  })

  // spec W7.27
  it('is another device on another site, where the wallet is recovered', async () => {
    const { dialog } = await open('host')
    const { address } = await create(dialog)
    const other = await open('other-host')
    expect(await inOperation(other.dialog, 'wallet:connect', { address })).toEqual({
      error: 'wallet_not_on_device',
    })
    expect(await inOperation(other.dialog, 'wallet:recover', { address })).toEqual({ data: { address } })
    expect(await sign(other.dialog, address)).toEqual(await sign(dialog, address))
  })

  // spec W7.22
  it('creates one wallet when two tabs of one site create concurrently', async () => {
    const [first, second] = await Promise.all([open('host'), open('host')])
    const made = await Promise.all([create(first.dialog), create(second.dialog)])
    const address = stage.server.walletOf(userId)?.address
    expect(made.map((wallet) => wallet.address)).toEqual([address, address])
    expect(made.map(({ onDevice }) => onDevice)).toContain(true)
    for (const { dialog } of [first, second]) {
      expect((await inOperation(dialog, 'wallet:connect', { address })).data).toEqual({ address })
      expect(await isSigned(await sign(dialog, String(address)), String(address))).toBe(true)
    }
  })

  it('stores a non-extractable key and a ciphertext on disk', async () => {
    const { page, dialog } = await open('host')
    const { address } = await create(dialog)
    const stored = await walletFrame(page)?.evaluate(
      async (name) => {
        const database = await new Promise<IDBDatabase>((resolve, reject) => {
          const request = indexedDB.open(name)
          request.onsuccess = () => resolve(request.result)
          request.onerror = () => reject(request.error)
        })
        const all = (store: string) =>
          new Promise<unknown[]>((resolve) => {
            const request = database.transaction(store).objectStore(store).getAll()
            request.onsuccess = () => resolve(request.result)
          })
        const [key] = (await all('keys')) as [CryptoKey]
        const exported = await crypto.subtle.exportKey('raw', key).then(
          () => 'exported',
          () => 'refused',
        )
        return { extractable: key.extractable, exported, shares: await all('shares') }
      },
      `latchkey:vault:${'a'.repeat(25)}:${userId}`,
    )
    expect(stored).toEqual({
      extractable: false,
      exported: 'refused',
      shares: [
        {
          v: 1,
          address,
          envelope: {
            v: 1,
            alg: 'A256GCM',
            kdf: 'none',
            params: {},
            gen: 1,
            nonce: expect.any(String),
            ct: expect.any(String),
          },
        },
      ],
    })
  })

  // spec W7.34
  // spec W7.30
  it('loads the second-factor code on demand, under its policy', async () => {
    const { dialog } = await open('host')
    const { address } = await create(dialog)
    stage.server.mfa.enrolled.add('totp')
    try {
      expect(await sign(dialog, address)).toEqual({ error: 'missing_or_invalid_mfa' })
      const request = { method: 'personal_sign', params: ['hello', address] }
      const factor = { mfaMethod: 'totp', mfaCode: '123456' }
      const signed = await inOperation(dialog, 'wallet:rpc', { address, request, ...factor })
      expect(await isSigned(signed, address)).toBe(true)
    } finally {
      stage.server.mfa.enrolled.clear()
    }
    expect(complaints.filter((text) => !text.includes('401'))).toEqual([])
  })

  it('ends the vault on mfa:clear', async () => {
    const { page, dialog } = await open('host')
    await create(dialog)
    const ended = (await vaultOf(page)).waitForEvent('close')
    expect(await call(dialog, 'mfa:clear', { userId })).toEqual({ data: {} })
    await ended
  })
})

describe('a killed tab leaves its share on disk', () => {
  /** Opens the disk anew for each use. A vault whose next opening never completes is stopped at that step. */
  const stopAt = (step: number) => `
    const { open } = IDBFactory.prototype
    self.openings = 0
    IDBFactory.prototype.open = function (...call) {
      self.openings += 1
      return self.openings === ${step} ? {} : open.apply(this, call)
    }
    undefined`
  const openings = (vault: Worker) => vault.evaluate<number>('self.openings')
  const keys = (page: Page) =>
    walletFrame(page)?.evaluate(
      (name) =>
        new Promise<string[]>((resolve) => {
          const opening = indexedDB.open(name)
          opening.onupgradeneeded = () => opening.transaction?.abort()
          opening.onerror = () => resolve([])
          opening.onsuccess = () => {
            const reading = opening.result.transaction('shares').objectStore('shares').getAllKeys()
            reading.onsuccess = () => {
              opening.result.close()
              resolve(reading.result.map(String))
            }
          }
        }),
      `latchkey:vault:${'a'.repeat(25)}:${userId}`,
    )

  /** Kills the tab before this use of its disk. Returns false if the call completes without it. */
  async function killAt(step: number, call: (dialog: Frame) => Promise<unknown>): Promise<boolean> {
    const { page, dialog } = await open('host')
    const working = vaultOf(page)
    // The vault starts with its first request.
    await inOperation(dialog, 'operation:end', { operationId: 'none' }).catch(() => undefined)
    const vault = await working
    await vault.evaluate(stopAt(step))
    let isDone = false
    const done = call(dialog).then(
      () => {
        isDone = true
      },
      () => {},
    )
    await expect.poll(async () => isDone || (await openings(vault)) >= step).toBe(true)
    await page.close()
    await done
    return !isDone
  }

  /** Acts like the dialog in the next tab. Returns whether it had to recover the share. */
  async function openAndSign() {
    const { page, dialog } = await open('host')
    const before = (await keys(page)) ?? []
    const made = stage.server.walletOf(userId)?.address
    const address = made ?? (await create(dialog)).address
    const { error } = await inOperation(dialog, 'wallet:connect', { address })
    if (error) await inOperation(dialog, 'wallet:recover', { address })
    expect(await isSigned(await sign(dialog, address), address)).toBe(true)
    return { before, committed: made, recovered: error !== undefined }
  }

  it('at any step of a creation', async () => {
    let foundCommitted = 0
    for (let step = 1; ; step += 1) {
      userId = `user_${++users}`
      if (!(await killAt(step, create))) break
      const { before, committed, recovered } = await openAndSign()
      const place = `wallet_${userId}:1`
      // The server has committed a generation: its share is on the device, and nothing is fetched anew.
      if (committed) {
        foundCommitted += 1
        expect(before).toContain(`pending:${place}:${committed}`)
        expect(recovered, `step ${step}`).toBe(false)
      }
    }
    expect(foundCommitted).toBeGreaterThan(0)
  })

  it('at any step of a recovery', async () => {
    for (let step = 1; ; step += 1) {
      userId = `user_${++users}`
      const { dialog } = await open('other-host')
      const { address } = await create(dialog)
      const isKilled = await killAt(step, (here) => inOperation(here, 'wallet:recover', { address }))
      if (!isKilled) break
      const { before, recovered } = await openAndSign()
      expect(recovered, `step ${step}`).toBe(before.length === 0)
    }
  })
})

describe('the network isolation of the vault', () => {
  /**
   * Source texts, because the test runner would rewrite an `import()`. `exit` is a URL at which the stage
   * listens.
   */
  const exits: Record<string, string> = {
    fetch: 'fetch(exit)',
    XMLHttpRequest: `new Promise((resolve, reject) => {
      const request = new XMLHttpRequest()
      request.open('GET', exit)
      request.onload = resolve
      request.onerror = () => reject(new Error('refused'))
      request.send()
    })`,
    WebSocket: `new Promise((resolve, reject) => {
      new WebSocket(exit.replace('http', 'ws')).onerror = () => reject(new Error('refused'))
    })`,
    EventSource: `new Promise((resolve, reject) => {
      new EventSource(exit).onerror = () => reject(new Error('refused'))
    })`,
    'import()': 'import(exit)',
    importScripts: '(async () => importScripts(exit))()',
    'a nested worker': `new Promise((resolve, reject) => {
      const worker = new Worker(exit)
      worker.onmessage = resolve
      worker.onerror = () => reject(new Error('refused'))
    })`,
    'a nested worker of a blob': `new Promise((resolve, reject) => {
      const worker = new Worker(URL.createObjectURL(new Blob(['fetch("' + exit + '").then(() => postMessage(1))'])))
      worker.onmessage = resolve
      worker.onerror = () => reject(new Error('refused'))
    })`,
  }

  async function attempt(name: string): Promise<unknown> {
    const { page, dialog } = await open('host')
    await call(dialog, 'operation:begin', {})
    const vault = await vaultOf(page)
    const exit = `${stage.originOf('wallet')}/exit`
    return vault.evaluate(`((exit) => ${exits[name]})('${exit}')`).then(
      () => 'got out',
      (error: unknown) => error,
    )
  }

  it.each(Object.keys(exits))('blocks %s, which works without the policy', async (name) => {
    stage.exits.length = 0
    expect(await attempt(name)).toBeInstanceOf(Error)
    expect(stage.exits).toEqual([])
    stage.stripPolicies(true)
    await attempt(name)
    expect(stage.exits).toEqual(['/exit'])
  })

  it('prevents the page from starting another worker', async () => {
    const { page } = await open('host')
    const refused = await walletFrame(page)?.evaluate(() => {
      const make = (url: string) => {
        try {
          return new Worker(url) && 'started'
        } catch (error) {
          return String(error)
        }
      }
      return [make('/vault.js'), make('data:text/javascript,1')]
    })
    expect(refused).toEqual([
      expect.stringContaining('TrustedScriptURL'),
      expect.stringContaining('TrustedScriptURL'),
    ])
  })
})

describe('the wallet frame on other sites', () => {
  // spec W7.21
  it("ignores messages of any window but the dialog, including the app's page", async () => {
    const { page, dialog } = await open('host')
    await page.evaluate(() => {
      const heard: unknown[] = []
      Object.assign(globalThis, { heard })
      addEventListener('message', (event) => heard.push(event.data))
      const handshake = { namespace: 'penpal', channel: 'latchkey:wallet', type: 'SYN', participantId: '0' }
      const call = { v: 1, id: '1', event: 'latchkey:operation:begin', data: {} }
      for (const message of [handshake, call]) window.frames[0]?.frames[0]?.postMessage(message, '*')
    })
    // The dialog's own call is sent after those messages, so they arrived before its response.
    expect(await call(dialog, 'operation:begin', {})).toEqual({
      data: { operationId: expect.any(String), publicKey: expect.any(String) },
    })
    expect(await page.evaluate('heard')).toEqual([])
    // The same handshake from the dialog's window is answered, so the window was the reason, not the message.
    const answered = dialog.evaluate(
      () =>
        new Promise((resolve) => {
          addEventListener('message', (event) => resolve(event.data.type))
          const handshake = {
            namespace: 'penpal',
            channel: 'latchkey:wallet',
            type: 'SYN',
            participantId: '0',
          }
          window.frames[0]?.postMessage(handshake, '*')
        }),
    )
    expect(await answered).toMatch(/^(SYN|ACK1)$/)
  })

  it('is not loaded in a page that the app does not list', async () => {
    const { dialog } = await open('evil')
    expect(await call(dialog, 'operation:begin', {})).toEqual({ error: 'frame_unresponsive' })
    expect(complaints.join()).toContain('frame-ancestors')
  })

  it.each(['evil', 'host?as-dialog'])('does not start under %s even without its headers', async (host) => {
    stage.stripPolicies(true)
    const page = await context.newPage()
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    const [name = '', query = ''] = host.split('?')
    await page.goto(`${stage.originOf(name)}/?${query}`)
    await expect.poll(() => complaints.join()).toContain('does not run under these windows')
  })
})
