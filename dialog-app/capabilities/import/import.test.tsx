/** A key that its user brings along: what the dialog asks and hands on, and what it never has. */
import { LatchkeyError } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import { settle } from '../../testing/clock.ts'
import { confirmedIn, type FixtureOptions, makeFixture, watch } from '../../testing/fixture.ts'
import {
  makeAuthAnswer,
  makeSettings,
  visitorUser,
  walletAddress,
  walletUser,
} from '../../testing/fixtures.ts'
import { renderDialog } from '../../testing/page.tsx'
import { makeRecoveryWindows } from '../../testing/wallet-windows/recovery-windows.ts'
import type { WalletChannel } from '../../wallet/frame.ts'
import { createImportCall } from './import-wallet.ts'

const done = 'Wallet imported'
const failure = 'Your wallet could not be imported. Please try again.'
const taken = 'This account has already been linked to another user.'
const importedUser = {
  ...walletUser,
  linkedAccounts: walletUser.linkedAccounts.map((account) =>
    account.type === 'wallet' ? { ...account, imported: true } : account,
  ),
}
/** A P-256 public key in the format of a vault. */
const publicKey = await pointOfVault()

type Answers = { [name: string]: (data: Record<string, unknown>) => unknown }

function frameOf(answers: Answers = {}) {
  const asked: [name: string, data: Record<string, unknown>][] = []
  const begun: unknown[] = []
  const tokens: unknown[] = []
  const served: Answers = {
    'page:begin': () => ({ publicKey }),
    'page:key': () => ({ address: walletAddress }),
    'page:confirm': () => ({ statement: 'signed by the device' }),
    'wallet:import': () => ({ address: walletAddress, onDevice: true, user: importedUser }),
    ...answers,
  }
  const channel = {
    async call(name: string, data: Record<string, unknown>) {
      asked.push([name, data])
      return served[name]?.(data)
    },
  } as unknown as WalletChannel
  const wallet: FixtureOptions['wallet'] = {
    async begin({ readyWaitMs } = {}) {
      begun.push(readyWaitMs)
      return {
        id: `operation_${begun.length}`,
        publicKey,
        channel,
        nextStep: () => ({ id: 'operation', step: 1 }),
      }
    },
    async requestToken({ id }, purpose, address, { confirmation } = {}) {
      const operation = { id, step: 1 }
      tokens.push({ id, purpose, address, confirmation })
      return {
        purpose,
        address,
        confirmation: null,
        requestedAtMs: 0,
        data: { accessToken: 'token', operation },
      }
    },
  }
  return { asked, begun, tokens, wallet, names: () => asked.map(([name]) => name) }
}

async function fixture(frame = frameOf(), change: FixtureOptions = {}, user = visitorUser) {
  const made = await makeFixture({
    ...change,
    answers: {
      logout: () => ({ success: true }),
      me: () => user,
      decideConfirmation: () => ({ state: 'approved' }),
      ...change.answers,
    },
    wallet: { ...frame.wallet, ...change.wallet },
  })
  made.session.accept(makeAuthAnswer({ user }))
  return { ...made, services: made, page: renderDialog(made) }
}
type Made = Awaited<ReturnType<typeof fixture>>
async function ask(made: Pick<Made, 'more'>, data: { privateKey?: string } = {}) {
  const importing = watch(made.more('importWallet', data))
  await settle()
  return importing
}
/** Waits for the page that takes the key, and returns its address. */
async function seePage({ page }: Made): Promise<string> {
  await page.see(/^Use a wallet that you already have/)
  const frame = document.querySelector<HTMLIFrameElement>('iframe[title="Private key or seed phrase"]')
  if (!frame) throw new Error('There is no page')
  const { origin, pathname } = new URL(frame.src)
  return origin + pathname
}
const never = () => new Promise(() => {})

describe('an import', () => {
  // spec W7.25
  test('links the wallet with the address that the user confirmed on the page', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const frame = frameOf({ 'page:key': () => promise })
    const made = await fixture(frame)
    const importing = await ask(made)
    expect(await seePage(made)).toBe('https://wallet.example/import')
    expect(frame.asked).toEqual([
      ['page:begin', { page: 'import' }],
      ['page:key', {}],
    ])
    expect(frame.tokens).toEqual([])
    resolve({ address: walletAddress })
    await settle()
    expect(frame.asked.at(-1)).toEqual([
      'wallet:import',
      {
        accessToken: 'token',
        operation: { id: 'operation_2', step: 1 },
        address: walletAddress,
        recoveryMethod: 'latchkey',
      },
    ])
    const { handle, digest } = confirmedIn('page')
    const confirmation = { handle, digest }
    expect(frame.asked.at(-2)).toEqual(['page:confirm', { userId: visitorUser.id, ...confirmation }])
    expect(frame.tokens).toEqual([{ id: 'operation_2', purpose: 'import', address: null, confirmation }])
    await made.page.see(done)
    expect(importing.settled).toBe(false)
    await made.clock.advance(2_500)
    expect(importing.value).toMatchObject({ wallet: { address: walletAddress, imported: true } })
    expect(made.view()?.open).toBe(false)
    expect(made.events).toEqual(
      expect.arrayContaining(['embedded_wallet_creation_started', 'embedded_wallet_creation_completed']),
    )
  })

  // spec W9.2
  test('waits 15 s for the wallet frame', async () => {
    const frame = frameOf()
    await ask(await fixture(frame))
    expect(frame.begun).toEqual([15_000, 15_000])
  })

  // spec W6.1
  test('is rejected for a visitor and for a user with a wallet', async () => {
    const visitor = await makeFixture({})
    expect((await ask(visitor)).error).toMatchObject({ code: 'must_be_authenticated' })
    const frame = frameOf()
    const second = await ask(await fixture(frame, {}, walletUser))
    expect(second.error).toMatchObject({
      code: 'embedded_wallet_already_exists',
      message: 'Only one Latchkey wallet per user is currently allowed',
    })
    expect(frame.asked).toEqual([])
  })

  test('is rejected if the card is closed before the confirmation, and stores nothing', async () => {
    const frame = frameOf({ 'page:key': never })
    const made = await fixture(frame)
    const importing = await ask(made)
    await made.page.press('Cancel')
    await settle()
    expect(importing.error).toMatchObject({ code: 'user_rejected_request' })
    expect(frame.names()).not.toContain('wallet:import')
  })

  test('cannot be closed while it runs, and the page with the key stays', async () => {
    const made = await fixture(frameOf({ 'wallet:import': never }))
    const importing = await ask(made)
    expect(await seePage(made)).toBe('https://wallet.example/import')
    expect(made.page.hasButton('Cancel')).toBe(false)
    expect(made.page.hasButton('Close')).toBe(false)
    await made.close()
    expect(importing.settled).toBe(false)
    expect(await seePage(made)).toBe('https://wallet.example/import')
  })

  test('can be tried again with another page after a failure, and rejects with the cause if the user leaves', async () => {
    let tries = 0
    const frame = frameOf({
      'wallet:import': () => {
        tries += 1
        throw new LatchkeyError('share_mismatch', 'Another wallet')
      },
    })
    const made = await fixture(frame)
    const importing = await ask(made)
    await made.page.see(failure)
    await made.page.press('Try again')
    await settle()
    expect(tries).toBe(2)
    expect(frame.names().filter((name) => name === 'page:begin')).toHaveLength(2)
    await made.page.press('Close')
    expect(importing.error).toMatchObject({
      code: 'unknown_embedded_wallet_error',
      details: { cause: 'share_mismatch' },
    })
    expect(made.events.filter((name) => name === 'embedded_wallet_creation_failed')).toHaveLength(2)
  })

  test('shows that another user has this wallet, and can be tried again with another key', async () => {
    const frame = frameOf({
      'wallet:import': () => {
        throw new LatchkeyError('linked_to_another_user', 'This wallet is another user’s')
      },
    })
    const made = await fixture(frame)
    const importing = await ask(made)
    await made.page.see(taken)
    await made.page.press('Use another wallet')
    await settle()
    expect(frame.names().filter((name) => name === 'page:begin')).toHaveLength(2)
    expect(importing.settled).toBe(false)
    await made.page.press('Close')
    expect(importing.error).toMatchObject({ code: 'linked_to_another_user' })
  })

  test.each([
    'embedded_wallet_already_exists',
    'embedded_wallet_recovery_already_exists',
    'disallowed_recovery_method',
    'invalid_data',
  ] as const)('rejects with %s unchanged', async (code) => {
    const frame = frameOf({
      'wallet:import': () => {
        throw new LatchkeyError(code, 'The wallet is not imported')
      },
    })
    const importing = await ask(await fixture(frame))
    await expect.poll(() => importing.error).toMatchObject({ code })
  })

  test('rejects as refused if the user closes the card during a retry', async () => {
    const isFirst = [true]
    const frame = frameOf({
      'page:key': () => {
        if (isFirst.pop()) throw new LatchkeyError('server_unreachable', 'Lost')
        return never()
      },
    })
    const made = await fixture(frame)
    const importing = await ask(made)
    await made.page.press('Try again')
    await seePage(made)
    await made.page.press('Close')
    expect(importing.error).toMatchObject({ code: 'user_rejected_request' })
  })

  test.each([
    ['opening', { 'page:begin': () => Promise.reject(new LatchkeyError('frame_unresponsive', 'No page')) }],
    ['page', { 'page:key': () => Promise.reject(new LatchkeyError('frame_unresponsive', 'No page')) }],
  ])('offers a retry if the %s fails', async (_step, answers) => {
    const made = await fixture(frameOf(answers))
    await ask(made)
    await made.page.see(failure)
  })

  test('recovers the wallet on a device without a share', async () => {
    const made = await fixture(
      frameOf({ 'wallet:import': () => ({ address: walletAddress, onDevice: false, user: importedUser }) }),
    )
    await ask(made)
    expect(made.wallet.log).toContain('recover')
  })

  test('ends when the user logs out', async () => {
    const made = await fixture(frameOf({ 'page:key': never }))
    const importing = await ask(made)
    await made.session.logout()
    await settle()
    expect(importing.error).toMatchObject({ code: 'must_be_authenticated' })
  })
})

describe('an import after the choice of a recovery method', () => {
  const chosen = 'EMBEDDED_WALLET_PASSWORD_CREATE_SCREEN'
  const { app } = makeSettings({
    embeddedWalletConfig: {
      requireUserOwnedRecoveryOnCreate: true,
      userOwnedRecoveryOptions: ['user-passcode'],
    },
  })
  /** To the page that takes the key. */
  async function choosePassword(frame: ReturnType<typeof frameOf>) {
    const { wallet, capabilities, give, opened } = makeRecoveryWindows()
    const made = await fixture(frame, { app, wallet, capabilities })
    const importing = await ask(made)
    expect(frame.names()).toEqual([])
    expect(made.screen()).toBe(chosen)
    await made.page.openWalletWindow()
    give()
    await settle()
    return { made, importing, opened }
  }

  test('asks for the method and then for the key, and the wallet has this recovery from the start', async () => {
    const frame = frameOf()
    const { made, importing } = await choosePassword(frame)
    await expect
      .poll(() => frame.names())
      .toEqual(['page:begin', 'page:key', 'page:confirm', 'wallet:import'])
    expect(frame.asked.at(-1)).toEqual([
      'wallet:import',
      {
        accessToken: 'token',
        operation: { id: 'operation_2', step: 1 },
        address: walletAddress,
        recoveryMethod: 'user-passcode',
        recoveryWindow: '1'.padStart(43, 'w'),
      },
    ])
    await made.page.see(done)
    await made.clock.advance(2_500)
    await made.page.see('Password set')
    expect(made.screen()).toBe(chosen)
    await made.clock.advance(1_400)
    await settle()
    expect(importing.value).toMatchObject({ wallet: { address: walletAddress, imported: true } })
    expect(made.view()?.open).toBe(false)
  })

  test('resolves if the user closes the success screen', async () => {
    const { made, importing } = await choosePassword(frameOf())
    await made.page.see(done)
    await made.page.press('Close')
    await settle()
    expect(importing.value).toMatchObject({ wallet: { address: walletAddress, imported: true } })
  })

  test('reports a wallet that exists already with another recovery method', async () => {
    const frame = frameOf({
      'wallet:import': () => ({ address: walletAddress, onDevice: true, user: null }),
    })
    async function recover() {
      throw new LatchkeyError('invalid_recovery_pin', 'Another password')
    }
    const { made, importing } = await choosePassword({ ...frame, wallet: { ...frame.wallet, recover } })
    await expect.poll(() => importing.settled).toBe(true)
    expect(importing.error).toMatchObject({ code: 'embedded_wallet_recovery_already_exists' })
    expect(made.view()?.open).toBe(false)
  })

  test('stores nothing if the user leaves the screen of the key', async () => {
    const frame = frameOf({ 'page:key': never })
    const { made, importing } = await choosePassword(frame)
    await seePage(made)
    await made.page.press('Cancel')
    await settle()
    expect(importing.error).toMatchObject({ code: 'user_rejected_request' })
    expect(made.view()?.open).toBe(false)
    expect(frame.names()).not.toContain('wallet:import')
  })

  test('ends if the user leaves before the screen of the key', async () => {
    const frame = frameOf()
    const { wallet, capabilities } = makeRecoveryWindows()
    const made = await fixture(frame, { app, wallet, capabilities })
    const importing = await ask(made)
    await made.close()
    await settle()
    expect(importing.error).toMatchObject({ code: 'user_rejected_request' })
    expect(frame.names()).toEqual([])
  })

  test('is tried again with the same password and another page after a failure', async () => {
    let tries = 0
    const frame = frameOf({
      'wallet:import': () => {
        tries += 1
        if (tries === 1) throw new LatchkeyError('share_mismatch', 'Another wallet')
        return { address: walletAddress, onDevice: true, user: importedUser }
      },
    })
    const { made } = await choosePassword(frame)
    await made.page.see(failure)
    await made.page.press('Try again')
    await made.page.see(done)
    expect(tries).toBe(2)
  })

  test.each([
    ['server_unreachable', 'unknown_embedded_wallet_error'],
    ['linked_to_another_user', undefined],
  ] as const)('ends with %s as %s if the recovery is used up', async (code, told) => {
    const own = { method: 'google-drive', window: 'w' } as const
    const frame = frameOf({
      'wallet:import': () => {
        throw new LatchkeyError(code, 'The wallet is not imported')
      },
    })
    const made = await fixture(frame)
    const importing = watch(made.stage.begin(createImportCall(made.services, { privateKey: undefined, own })))
    if (told === undefined) await made.page.see(taken)
    else await expect.poll(() => importing.error).toMatchObject({ code: told })
  })

  test('is rejected for a user with a wallet', async () => {
    const frame = frameOf()
    const made = await fixture(frame, { app }, walletUser)
    expect((await ask(made)).error).toMatchObject({ code: 'embedded_wallet_already_exists' })
    expect(frame.asked).toEqual([])
  })
})

describe('a key from the host', () => {
  const privateKey = `0x${'ab'.repeat(32)}`
  const { app } = makeSettings({ embeddedWalletConfig: { hostKeyImport: true } })

  test('is rejected unless the operator allows it, and is sent nowhere', async () => {
    const frame = frameOf()
    const importing = await ask(await fixture(frame), { privateKey })
    expect(importing.error).toMatchObject({ code: 'not_supported' })
    expect([frame.asked, frame.begun]).toEqual([[], []])
  })

  test('is sent encrypted to the page, where the user confirms it', async () => {
    const frame = frameOf()
    const importing = await ask(await fixture(frame, { app }), { privateKey })
    await expect.poll(() => frame.asked[1]).toBeDefined()
    expect(frame.asked[1]).toEqual([
      'page:key',
      { privateKey: { v: 1, enc: expect.any(String), ct: expect.any(String) } },
    ])
    expect(JSON.stringify(frame.asked)).not.toContain(privateKey.slice(2))
    expect(importing.error).toBeUndefined()
  })

  test('is rejected if it is malformed', async () => {
    const frame = frameOf({
      'page:key': () => {
        throw new LatchkeyError('invalid_data', 'This is no private key', {
          details: { reason: 'wrong_length' },
        })
      },
    })
    const importing = await ask(await fixture(frame, { app }), { privateKey: '0xab' })
    await expect.poll(() => importing.settled).toBe(true)
    expect(importing.error).toMatchObject({ code: 'invalid_data', details: { reason: 'wrong_length' } })
  })
})

async function pointOfVault(): Promise<string> {
  const { publicKey: key } = await crypto.subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, false, [
    'deriveBits',
  ])
  return Buffer.from(await crypto.subtle.exportKey('raw', key)).toString('base64url')
}
