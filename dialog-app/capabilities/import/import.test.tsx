/** A key that its user brings along: what the dialog asks and hands on, and what it never has. */
import { LatchkeyError } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import { settle } from '../../testing/clock.ts'
import { confirmedIn, type Fixture, type FixtureOptions, makeFixture, watch } from '../../testing/fixture.ts'
import {
  makeAuthAnswer,
  makeSettings,
  visitorUser,
  walletAddress,
  walletUser,
} from '../../testing/fixtures.ts'
import { makeRecoveryWindows } from '../../testing/wallet-windows/recovery-windows.ts'
import type { WalletChannel } from '../../wallet/frame.ts'

const screen = 'EMBEDDED_WALLET_IMPORT_SCREEN'
const importedUser = {
  ...walletUser,
  linkedAccounts: walletUser.linkedAccounts.map((account) =>
    account.type === 'wallet' ? { ...account, imported: true } : account,
  ),
}
/** A P-256 key, as a vault says one. */
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
  return made
}
async function come() {
  for (let turn = 0; turn < 10; turn += 1) await settle()
}
async function ask(made: Fixture, data: { privateKey?: string } = {}) {
  const importing = watch(made.more('importWallet', data))
  await come()
  return importing
}
const state = (made: Fixture) => made.state(screen)
const never = () => new Promise(() => {})

describe('an import', () => {
  // spec W7.25
  test('is of the address that the user said yes to on the page, and its wallet is an account of theirs', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const frame = frameOf({ 'page:key': () => promise })
    const made = await fixture(frame)
    const importing = await ask(made)
    expect(state(made)).toEqual({ status: 'page', pageUrl: 'https://wallet.example/import' })
    expect(frame.asked).toEqual([
      ['page:begin', { page: 'import' }],
      ['page:key', {}],
    ])
    expect(frame.tokens).toEqual([])
    resolve({ address: walletAddress })
    await come()
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
    expect(state(made)).toMatchObject({ status: 'done' })
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
  test('is not for a visitor, nor for a user who has a wallet', async () => {
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

  test('that is closed before its user said yes is a refusal, and nothing is kept', async () => {
    const frame = frameOf({ 'page:key': never })
    const made = await fixture(frame)
    const importing = await ask(made)
    await made.press(screen, 'leave')
    await come()
    expect(importing.error).toMatchObject({ code: 'user_rejected_request' })
    expect(frame.names()).not.toContain('wallet:import')
  })

  test('that is under way can not be left, and the page that has the key stays', async () => {
    const made = await fixture(frameOf({ 'wallet:import': never }))
    const importing = await ask(made)
    expect(state(made)).toEqual({ status: 'importing', pageUrl: 'https://wallet.example/import' })
    await made.close()
    expect(importing.settled).toBe(false)
    expect(state(made)).toMatchObject({ status: 'importing' })
  })

  test('that failed can be tried again with another page, and is told with its cause when it is left', async () => {
    let tries = 0
    const frame = frameOf({
      'wallet:import': () => {
        tries += 1
        throw new LatchkeyError('share_mismatch', 'Another wallet')
      },
    })
    const made = await fixture(frame)
    const importing = await ask(made)
    expect(state(made)).toEqual({ status: 'failed' })
    await made.press(screen, 'retry')
    await come()
    expect(tries).toBe(2)
    expect(frame.names().filter((name) => name === 'page:begin')).toHaveLength(2)
    await made.close()
    expect(importing.error).toMatchObject({
      code: 'unknown_embedded_wallet_error',
      details: { cause: 'share_mismatch' },
    })
    expect(made.events.filter((name) => name === 'embedded_wallet_creation_failed')).toHaveLength(2)
  })

  test('of a wallet that another user has says so, and can be tried again with another key', async () => {
    const frame = frameOf({
      'wallet:import': () => {
        throw new LatchkeyError('linked_to_another_user', 'This wallet is another user’s')
      },
    })
    const made = await fixture(frame)
    const importing = await ask(made)
    expect(state(made)).toEqual({ status: 'taken' })
    await made.press(screen, 'retry')
    await come()
    expect(frame.names().filter((name) => name === 'page:begin')).toHaveLength(2)
    expect(importing.settled).toBe(false)
    await made.close()
    expect(importing.error).toMatchObject({ code: 'linked_to_another_user' })
  })

  test('that another tab was quicker than is told as that', async () => {
    const made = await fixture(
      frameOf({
        'wallet:import': () => {
          throw new LatchkeyError('embedded_wallet_already_exists', 'The user has another wallet')
        },
      }),
    )
    expect((await ask(made)).error).toMatchObject({ code: 'embedded_wallet_already_exists' })
  })

  test('of which this device has no share is recovered', async () => {
    const made = await fixture(
      frameOf({ 'wallet:import': () => ({ address: walletAddress, onDevice: false, user: importedUser }) }),
    )
    await ask(made)
    expect(made.wallet.log).toContain('recover')
  })

  test('is over when its user logs out', async () => {
    const made = await fixture(frameOf({ 'page:key': never }))
    const importing = await ask(made)
    await made.session.logout()
    await come()
    expect(importing.error).toMatchObject({ code: 'must_be_authenticated' })
  })
})

describe('an import where the user says first how a wallet is kept', () => {
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
    await made.press(chosen, 'opened', 'open')
    await come()
    give()
    await come()
    return { made, importing, opened }
  }

  test('asks for that and then for the key, and the wallet is kept so from its beginning', async () => {
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
    await come()
    expect(state(made)).toMatchObject({ status: 'done' })
    await made.clock.advance(2_500)
    await come()
    expect(made.state(chosen).step).toEqual({ at: 'done' })
    await made.clock.advance(1_400)
    await come()
    expect(importing.value).toMatchObject({ wallet: { address: walletAddress, imported: true } })
    expect(made.view()?.open).toBe(false)
  })

  test('is told where its user closes the card that says that the wallet is imported', async () => {
    const { made, importing } = await choosePassword(frameOf())
    await expect.poll(() => made.state(screen)).toMatchObject({ status: 'done' })
    await made.close()
    await come()
    expect(importing.value).toMatchObject({ wallet: { address: walletAddress, imported: true } })
  })

  test('that was made already and is kept otherwise is told as that', async () => {
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

  test('is left with the key, and nothing is kept', async () => {
    const frame = frameOf({ 'page:key': never })
    const { made, importing } = await choosePassword(frame)
    expect(state(made)).toMatchObject({ status: 'page' })
    await made.press(screen, 'leave')
    await come()
    expect(importing.error).toMatchObject({ code: 'user_rejected_request' })
    expect(made.view()?.open).toBe(false)
    expect(frame.names()).not.toContain('wallet:import')
  })

  test('is left before the key is asked for', async () => {
    const frame = frameOf()
    const { wallet, capabilities } = makeRecoveryWindows()
    const made = await fixture(frame, { app, wallet, capabilities })
    const importing = await ask(made)
    await made.close()
    await come()
    expect(importing.error).toMatchObject({ code: 'user_rejected_request' })
    expect(frame.names()).toEqual([])
  })

  test('that failed is tried again with the same password and another page', async () => {
    let tries = 0
    const frame = frameOf({
      'wallet:import': () => {
        tries += 1
        if (tries === 1) throw new LatchkeyError('share_mismatch', 'Another wallet')
        return { address: walletAddress, onDevice: true, user: importedUser }
      },
    })
    const { made } = await choosePassword(frame)
    await expect.poll(() => made.state(screen)).toEqual({ status: 'failed' })
    await made.press(screen, 'retry')
    await expect.poll(() => made.state(screen)).toMatchObject({ status: 'done' })
    expect(tries).toBe(2)
  })

  test('is not for a user who has a wallet', async () => {
    const frame = frameOf()
    const made = await fixture(frame, { app }, walletUser)
    expect((await ask(made)).error).toMatchObject({ code: 'embedded_wallet_already_exists' })
    expect(frame.asked).toEqual([])
  })
})

describe('a key that the host brings', () => {
  const privateKey = `0x${'ab'.repeat(32)}`
  const { app } = makeSettings({ embeddedWalletConfig: { hostKeyImport: true } })

  test('is refused unless the operator allowed it, and goes nowhere', async () => {
    const frame = frameOf()
    const importing = await ask(await fixture(frame), { privateKey })
    expect(importing.error).toMatchObject({ code: 'not_supported' })
    expect([frame.asked, frame.begun]).toEqual([[], []])
  })

  test('goes sealed to the page, whose user says yes to it', async () => {
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

  test('and that is none is told to it', async () => {
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
