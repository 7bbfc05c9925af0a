import type { LatchkeyError } from '@latchkey/protocol'
import { isRateLimit, walletCallErrors } from '@latchkey/protocol/wallet'
import { hashMessage, verifyMessage } from 'viem/utils'
import { describe, expect, it } from 'vitest'
import type { HostPage } from '../shares/ports.ts'
import { appId, openFrame, personalSign } from '../testing/frame.ts'
import { emptyDisk } from '../testing/memory-database.ts'
import { walletServer } from '../testing/server/wallet-server.ts'

const code = (expected: string) => expect.objectContaining({ code: expected })
const elsewhere = `0x${'1'.repeat(40)}`

async function setUp() {
  const server = await walletServer(appId)
  const disk = emptyDisk()
  return { server, disk, frame: openFrame({ server, disk }) }
}
async function withWallet() {
  const scene = await setUp()
  const { address } = await scene.frame.create()
  return { ...scene, address, before: scene.server.asked.length }
}

describe('latchkey:iframe:ready', () => {
  // spec W7.23
  it('responds to iframe:ready', async () => {
    const { frame } = await setUp()
    expect(await frame.call('iframe:ready', {})).toEqual({})
  })
})

describe('latchkey:wallet:create', () => {
  // spec W7.24
  it('creates a wallet on the server with which this device can sign', async () => {
    const { frame, server } = await setUp()
    const created = await frame.create()
    const { address } = created
    expect(server.walletOf('user_1')?.address).toBe(address)
    expect(created).toMatchObject({
      onDevice: true,
      user: { id: 'user_1', linkedAccounts: [{ type: 'wallet', address }] },
    })
    const { response } = await frame.sign(address)
    expect(
      await verifyMessage({
        address: address as `0x${string}`,
        message: 'hello',
        signature: response.data as `0x${string}`,
      }),
    ).toBe(true)
  })

  it('creates a wallet after an earlier attempt failed', async () => {
    const { frame, server } = await setUp()
    server.intercept(() => Response.json({ error: 'no', code: 'internal_error' }, { status: 400 }))
    await expect(frame.create()).rejects.toEqual(code('error'))
    server.intercept(() => undefined)
    expect((await frame.create()).address).toMatch(/^0x/)
  })

  // spec W3.1
  it('returns the existing wallet to a second create, with whether this device has its share', async () => {
    const { frame, server, disk, address } = await withWallet()
    const there = { address, onDevice: true, user: null }
    expect(await frame.create()).toEqual(there)
    expect(await openFrame({ server, disk }).create()).toEqual(there)
    const other = openFrame({ server, disk: emptyDisk() })
    expect(await other.create()).toEqual({ ...there, onDevice: false })
    expect(await other.recover(address)).toEqual({ address })
    expect((await other.sign(address)).response).toEqual((await frame.sign(address)).response)
  })

  it.each([
    ['on one device', true],
    ['on two devices', false],
  ])('creates one wallet for tabs that race %s, with which all can sign', async (_name, shared) => {
    const { server, disk } = await setUp()
    const frames = Array.from({ length: 4 }, () => openFrame({ server, disk: shared ? disk : emptyDisk() }))
    const made = await Promise.all(frames.map((frame) => frame.create()))
    const address = server.walletOf('user_1')?.address ?? ''
    expect(made.map((wallet) => wallet.address)).toEqual(frames.map(() => address))
    // Only the tab whose commit won receives the user; the others receive the wallet.
    expect(made.filter(({ user }) => user !== null)).toHaveLength(1)
    const signed = await Promise.all(
      frames.map(async (frame, index) => {
        if (!made[index]?.onDevice) await frame.recover(address)
        return frame.sign(address)
      }),
    )
    expect(new Set(signed.map(({ response }) => response.data)).size).toBe(1)
    if (shared) expect([...disk.records.keys()]).toEqual(['committed:wallet_user_1:1'])
  })

  it('keeps the wallet if the response to the commit is lost: the retry gets the same response', async () => {
    const { frame, server } = await setUp()
    let lost = 0
    server.intercept((path) => (path === '/wallets/commit' && lost++ === 0 ? 'drop the answer' : undefined))
    const { address } = await frame.create()
    const commits = server.asked.filter(({ path }) => path === '/wallets/commit')
    expect(commits.map(({ headers }) => headers.get('latchkey-request-id'))).toEqual([
      expect.any(String),
      commits[0]?.headers.get('latchkey-request-id'),
    ])
    expect((await frame.sign(address)).address).toBe(address)
  })

  it('rejects a recovery method without its inputs, and defaults to automatic recovery', async () => {
    const { frame, server } = await setUp()
    for (const recoveryMethod of ['google-drive', 'icloud'] as const) {
      const step = await frame.begin('create')
      const refused = code('invalid_request_arguments')
      await expect(frame.call('wallet:create', { ...step, recoveryMethod })).rejects.toEqual(refused)
      const recovery = { ...(await frame.begin('recover')), recoveryMethod, address: elsewhere }
      await expect(frame.call('wallet:recover', recovery)).rejects.toEqual(refused)
    }
    expect(server.asked).toEqual([])
    const named = { ...(await frame.begin('create')), recoveryMethod: 'latchkey' as const }
    expect((await frame.call('wallet:create', named)).onDevice).toBe(true)
    expect((await frame.create()).onDevice).toBe(true)
  })
})

describe('latchkey:wallet:connect', () => {
  // spec W7.26
  it('returns the address, or rejects with wallet_not_on_device on a new device', async () => {
    const { frame, server, address } = await withWallet()
    expect(await frame.connect(address)).toEqual({ address })
    const other = openFrame({ server, disk: emptyDisk() })
    await expect(other.connect(address)).rejects.toEqual(code('wallet_not_on_device'))
  })

  it('accepts an address in any case, and returns it in the spelling of the server', async () => {
    const { frame, address } = await withWallet()
    expect(await frame.connect(address.toLowerCase())).toEqual({ address })
  })

  it('refuses to connect another address than the pinned one', async () => {
    const { frame } = await withWallet()
    await expect(frame.connect(elsewhere)).rejects.toEqual(code('share_mismatch'))
  })

  it('connects with one read and no change', async () => {
    const { frame, server, address, before } = await withWallet()
    await frame.connect(address)
    expect(server.asked.slice(before).map(({ path }) => path)).toEqual(['/wallets'])
  })
})

describe('latchkey:wallet:recover', () => {
  // spec W7.27
  it('recovers the wallet on a new device', async () => {
    const { server, address } = await withWallet()
    const other = openFrame({ server, disk: emptyDisk() })
    expect(await other.recover(address)).toEqual({ address })
    expect(await other.connect(address)).toEqual({ address })
  })

  it('refuses to recover another address than the pinned one', async () => {
    const { frame } = await withWallet()
    await expect(frame.recover(elsewhere)).rejects.toEqual(code('share_mismatch'))
  })

  it('rejects a recovery for which the server releases no recovery share', async () => {
    const { frame, address } = await withWallet()
    // For a signature the server releases the auth share only.
    const step = await frame.begin('sign')
    await expect(frame.call('wallet:recover', { ...step, address })).rejects.toEqual(
      code('disallowed_recovery_method'),
    )
  })
})

describe('latchkey:wallet:rpc', () => {
  // spec W7.28
  it('fetches the auth share anew for each request, each in its own step', async () => {
    const { frame, server, address, before } = await withWallet()
    await frame.sign(address)
    await frame.sign(address)
    expect(server.asked.slice(before).map(({ path, body }) => [path, body])).toEqual([
      ['/wallets/shares', {}],
      ['/wallets/shares', {}],
    ])
  })

  // spec W3.7
  it('rejects unsupported methods with not_supported, without a server call', async () => {
    const { frame, server, address, before } = await withWallet()
    // The parameters of each method, and those of `personal_sign`.
    const digest = `0x${'5'.repeat(64)}`
    const good = [
      [address, digest],
      [digest, address],
    ]
    for (const method of ['eth_sign', 'eth_signTypedData', 'eth_sendTransaction', 'personal_sign ']) {
      for (const params of good) {
        const request = { method, params } as never
        const rpc = frame.call('wallet:rpc', { ...(await frame.begin('sign')), address, request })
        await expect(rpc).rejects.toEqual(code('not_supported'))
      }
    }
    expect(server.asked).toHaveLength(before)
    expect((await frame.sign(address, digest)).address).toBe(address)
  })

  it.each<[string, unknown[]]>([
    ['none', []],
    ['an empty message', ['', elsewhere]],
    ['a message that is no text', [1, elsewhere]],
    ['no address', ['hello']],
  ])('refuses parameters that are %s, without a server call', async (_name, params) => {
    const { frame, server, address, before } = await withWallet()
    const request = { method: 'personal_sign', params } as never
    const rpc = frame.call('wallet:rpc', { ...(await frame.begin('sign')), address, request })
    await expect(rpc).rejects.toEqual(code('invalid_data'))
    expect(server.asked).toHaveLength(before)
  })

  it('refuses to sign for another app', async () => {
    const { frame, server, address, before } = await withWallet()
    const rpc = async (requesterAppId: string) => {
      const request = personalSign('hello', address)
      return frame.call('wallet:rpc', { ...(await frame.begin('sign')), address, request, requesterAppId })
    }
    await expect(rpc('b'.repeat(25))).rejects.toEqual(code('not_supported'))
    expect(server.asked).toHaveLength(before)
    expect((await rpc(appId)).address).toBe(address)
  })

  it('rejects any other address than the pinned one, even if the request names the pinned one', async () => {
    const { frame, address } = await withWallet()
    const rpc = async (asked: string) => {
      const request = personalSign('hello', address)
      return frame.call('wallet:rpc', { ...(await frame.begin('sign')), address: asked, request })
    }
    await expect(rpc(elsewhere)).rejects.toEqual(code('share_mismatch'))
    expect((await rpc(address)).address).toBe(address)
  })

  it('signs a sign-in message for the page around the dialog only, wherever it occurs in the text', async () => {
    const { frame, server, address, before } = await withWallet()
    const signIn = (domain: string) =>
      `${domain} wants you to sign in with your Ethereum account:\n${address}`
    const hex = (text: string) => `0x${Buffer.from(text).toString('hex')}`
    const rpc = async (message: string) => {
      const request = personalSign(message, address)
      return frame.call('wallet:rpc', { ...(await frame.begin('sign')), address, request })
    }
    const refused = expect.objectContaining({
      code: 'invalid_request_arguments',
      message: 'The message logs its signer in at another site than this',
    })
    for (const text of [
      signIn('bank.example'),
      signIn('app.example:8443'),
      `Thank you.\n\n${signIn('bank.example')}`,
      `${signIn('app.example')}\n\n${signIn('bank.example')}`,
    ]) {
      await expect(rpc(text)).rejects.toEqual(refused)
      await expect(rpc(hex(text))).rejects.toEqual(refused)
    }
    expect(server.asked).toHaveLength(before)
    expect((await frame.sign(address, hex(signIn('app.example')))).address).toBe(address)
  })

  describe('without an origin of the host page from the browser', () => {
    const origins = ['https://app.example', 'https://*.preview.example']
    const refused = code('invalid_request_arguments')
    const signIn = (domain: string) => `${domain} wants you to sign in with your Ethereum account:\n0x00`
    const setUpHost = async (host: HostPage) => {
      const { server, disk, address } = await withWallet()
      return { server, address, frame: openFrame({ server, disk, host }) }
    }

    it('refuses every sign-in message for a top-level dialog', async () => {
      const { frame, server, address } = await setUpHost({ origins: [], isNamed: false })
      server.approveOnPage(true)
      await expect(frame.sign(address, signIn('app.example'))).rejects.toEqual(refused)
      await expect(frame.sign(address, signIn('bank.example'))).rejects.toEqual(refused)
      expect((await frame.sign(address, 'Hello')).address).toBe(address)
    })

    it('signs a sign-in for a site of the app only after an approval on the wallet page', async () => {
      const { frame, server, address } = await setUpHost({ origins, isNamed: false })
      await expect(frame.sign(address, signIn('app.example'))).rejects.toEqual(refused)
      expect((await frame.sign(address, 'Hello')).address).toBe(address)
      server.approveOnPage(true)
      expect((await frame.sign(address, signIn('app.example'))).address).toBe(address)
      expect((await frame.sign(address, signIn('pr-1.preview.example'))).address).toBe(address)
      await expect(frame.sign(address, signIn('bank.example'))).rejects.toEqual(refused)
    })
  })

  it('recognises a sign-in message inside bytes that are not text', async () => {
    const { frame, address } = await withWallet()
    const signIn = Buffer.from('bank.example wants you to sign in with your Ethereum account:')
    for (const bytes of [
      Buffer.of(0xff, 0x0a, ...signIn),
      Buffer.of(...signIn, 0xff),
      Buffer.of(...signIn.subarray(0, 15), 0xc3, ...signIn.subarray(15)),
    ]) {
      await expect(frame.sign(address, `0x${bytes.toString('hex')}`)).rejects.toEqual(
        code('invalid_request_arguments'),
      )
    }
  })

  it('signs a sign-in for a dapp if the server released it for that dapp', async () => {
    const { frame, server, address } = await withWallet()
    const signIn = (host: string) => `${host} wants you to sign in with your Ethereum account:\n${address}`
    const rpc = async (text: string, relayed = true) => {
      const request = personalSign(`0x${Buffer.from(text).toString('hex')}`, address)
      const step = await frame.begin('sign', { digest: hashMessage(text) })
      return frame.call('wallet:rpc', { ...step, address, request, ...(relayed && { relayed }) })
    }
    const refused = code('invalid_request_arguments')
    await expect(rpc(signIn('market.example'))).rejects.toEqual(refused)
    await expect(rpc('Hello')).rejects.toEqual(refused)
    server.relayFor('https://market.example')
    await expect(rpc(signIn('market.example'), false)).rejects.toEqual(refused)
    await expect(rpc(signIn('bank.example'))).rejects.toEqual(refused)
    await expect(rpc(signIn('app.example'))).rejects.toEqual(refused)
    expect((await rpc(signIn('market.example'))).address).toBe(address)
    expect((await rpc('Hello')).address).toBe(address)
  })

  it('refuses to sign for another address, and anything that could be an ownership proof', async () => {
    const { frame, address } = await withWallet()
    const rpc = async (message: string, signer: string) => {
      const request = personalSign(message, signer)
      return frame.call('wallet:rpc', { ...(await frame.begin('sign')), address, request })
    }
    const refused = code('invalid_request_arguments')
    await expect(rpc('hello', elsewhere)).rejects.toEqual(refused)
    await expect(rpc('latchkey/wallet-proof/1\n', address)).rejects.toEqual(refused)
    expect((await rpc('hello', address.toLowerCase())).address).toBe(address)
  })
})

describe('latchkey:mfa:clear', () => {
  // spec W7.34
  it('ends the vault, so that nothing released for the user opens any more', async () => {
    const { frame, address } = await withWallet()
    const step = await frame.begin('recover')
    expect(await frame.call('mfa:clear', { userId: 'user_1' })).toEqual({})
    expect(frame.vaultsEnded()).toBe(1)
    await expect(frame.call('wallet:recover', { ...step, address })).rejects.toEqual(
      code('vault_operation_unknown'),
    )
  })
})

describe('errors of the wallet frame', () => {
  it('cross if they are common or listed for the call; any other becomes `error` with its code in the details', async () => {
    const { frame, server, address } = await withWallet()
    const crossing = ['error', 'invalid_request_arguments', 'vault_operation_unknown', 'too_many_requests']
    const ofRpc = ['wallet_not_on_device', 'missing_or_invalid_mfa', 'share_mismatch', 'insufficient_funds']
    for (const type of [...crossing, ...ofRpc]) {
      server.intercept(() => Response.json({ error: 'Refused', code: type }, { status: 400 }))
      await expect(frame.sign(address)).rejects.toEqual(code(type))
    }
    for (const type of [
      'invalid_recovery_pin',
      'internal_error',
      'insufficient_scope',
      'embedded_wallet_not_found',
    ]) {
      server.intercept(() => Response.json({ error: 'Refused', code: type }, { status: 400 }))
      const error = await frame.sign(address).catch((thrown: unknown) => thrown)
      expect(error).toMatchObject({ code: 'error', message: 'Refused', details: { code: type } })
    }
    expect(walletCallErrors['wallet:recover']).toContain('invalid_recovery_pin')
    server.intercept(() => Response.json({ error: 'Wrong', code: 'invalid_recovery_pin' }, { status: 400 }))
    await expect(frame.recover(address)).rejects.toEqual(code('invalid_recovery_pin'))
  })

  it("for a rate limit contain 'code 429' and the retry delay", async () => {
    const { frame, server, address } = await withWallet()
    server.intercept(() =>
      Response.json({ error: 'slow down' }, { status: 429, headers: { 'retry-after': '7' } }),
    )
    const error = await frame.sign(address).catch((thrown: LatchkeyError) => thrown)
    expect(error).toMatchObject({ code: 'too_many_requests', retryAfterSeconds: 7 })
    expect((error as LatchkeyError).message).toContain('code 429')
    expect(isRateLimit((error as LatchkeyError).message)).toBe(true)
    expect(frame.waitedMs).toEqual([])
  })

  it('have a code for calls outside the contract', async () => {
    const { frame } = await setUp()
    for (const event of ['latchkey:wallet:clear', 'latchkey:wallet:unknown', 'latchkey:constructor']) {
      const answer = await frame.receive({ v: 1, id: event, event, data: {} })
      expect(answer.error?.type).toBe('method_not_found')
    }
  })

  // spec W3.15
  it("travel in the contract's envelope, with the ID and event of the request", async () => {
    const { frame } = await setUp()
    const { operation } = await frame.begin('connect')
    const event = 'latchkey:wallet:connect'
    const data = { accessToken: 'nobody', operation, address: elsewhere }
    expect(await frame.receive({ v: 1, id: '7', event, data })).toEqual({
      id: '7',
      event,
      error: {
        type: 'error',
        message: 'The token is malformed',
        details: { code: 'missing_or_invalid_token' },
      },
    })
  })
})
