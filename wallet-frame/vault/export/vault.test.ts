/** The export window's vault: what it opens, once, and what it then shows. */

import { mnemonicToAccount, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { testClock } from '../../testing/clock.ts'
import { exportVault, type SharesForExport, sharesFor } from '../../testing/export-vault.ts'
import { emptyDisk } from '../../testing/memory-database.ts'
import { ask as askWallet, beginIn, newVault, testWallet } from '../../testing/test-wallet.ts'
import { withSecret } from '../keys/secret-bytes.ts'

const failure = (code: string) => expect.objectContaining({ code })
const read = async ({ text }: { text: Uint8Array }) => new TextDecoder().decode(text)

async function opened(entropy?: Uint8Array<ArrayBuffer>, clock?: ReturnType<typeof testClock>) {
  const disk = emptyDisk()
  const mine = await testWallet(disk, entropy)
  await mine.adopt()
  const here = exportVault(clock)
  const { publicKey } = await here.begin()
  const given = await sharesFor(mine, publicKey)
  return { ...here, mine, disk, publicKey, given, open: () => here.ask('open', given) }
}

describe('the vault of the export window', () => {
  // spec W2.27
  it("shows the key and the phrase of the wallet's address", async () => {
    const { open, show, mine } = await opened()
    expect(await open()).toEqual({ forms: ['key', 'phrase'] })
    const key = await read(await show('key'))
    expect(key).toMatch(/^0x[0-9a-f]{64}$/)
    expect(privateKeyToAccount(key as `0x${string}`).address).toBe(mine.wallet.address)
    const phrase = await read(await show('phrase'))
    expect(phrase.split(' ')).toHaveLength(12)
    expect(mnemonicToAccount(phrase).address).toBe(mine.wallet.address)
  })

  it('opens its shares once, and again only newly sealed ones', async () => {
    const { open, begin, ask, mine } = await opened()
    await open()
    await expect(open()).rejects.toEqual(failure('vault_operation_unknown'))
    const { publicKey } = await begin()
    await expect(ask('open', await sharesFor(mine, publicKey))).resolves.toBeDefined()
  })

  it('shows nothing before it opened shares or after a new beginning', async () => {
    const { open, begin, show } = await opened()
    await expect(show('key')).rejects.toEqual(failure('vault_operation_unknown'))
    await open()
    await begin()
    await expect(show('key')).rejects.toEqual(failure('vault_operation_unknown'))
  })

  it('shows nothing after ten minutes', async () => {
    const { open, show, clock } = await opened()
    await open()
    clock.advance(10 * 60_000 - 1)
    await expect(show('key')).resolves.toBeDefined()
    clock.advance(1)
    await expect(show('key')).rejects.toEqual(failure('vault_operation_unknown'))
  })

  it('shows nothing after ten minutes, even without a timer after the machine slept', async () => {
    const late = { ...testClock(), after: () => () => false }
    const { open, show, clock } = await opened(undefined, late)
    await open()
    clock.advance(10 * 60_000 - 1)
    await expect(show('key')).resolves.toBeDefined()
    clock.advance(1)
    await expect(show('key')).rejects.toEqual(failure('vault_operation_unknown'))
  })

  it.each<[string, (given: SharesForExport) => object]>([
    ['of another step', ({ operation }) => ({ operation: { ...operation, step: 3 } })],
    ['for another address', ({ wallet }) => ({ wallet: { ...wallet, address: `0x${'1'.repeat(40)}` } })],
    ['of another generation', ({ wallet }) => ({ wallet: { ...wallet, generation: 2 } })],
    ['one share twice', ({ auth }) => ({ device: auth })],
    ['the other share twice', ({ device }) => ({ auth: device })],
  ])('refuses what is %s', async (_what, change) => {
    const { ask, given, show } = await opened()
    await expect(ask('open', { ...given, ...change(given) })).rejects.toEqual(failure('envelope_refused'))
    await expect(show('key')).rejects.toEqual(failure('vault_operation_unknown'))
  })

  it('opens nothing that was sealed to another vault', async () => {
    const { given } = await opened()
    const elsewhere = exportVault()
    await elsewhere.begin()
    await expect(elsewhere.ask('open', given)).rejects.toEqual(failure('envelope_refused'))
  })

  it("is separate from the wallet frame's vault, which shows no key", async () => {
    const { disk, mine } = await opened()
    const vault = newVault(disk)
    const begun = await beginIn(vault)
    for (const name of ['open', 'show']) {
      const input = { form: 'key', wallet: mine.wallet, ...begun }
      await expect(askWallet(vault, name as 'sign', input as never)).rejects.toEqual(
        failure('invalid_request_arguments'),
      )
    }
  })

  /** Records all arrays that are made while `run` runs. */
  async function arraysOf(run: () => Promise<void>) {
    const Original = globalThis.Uint8Array
    const made: Uint8Array[] = []
    const recording = new Proxy(Original, {
      construct(target, given) {
        const array: Uint8Array = Reflect.construct(target, given)
        made.push(array)
        return array
      },
    })
    globalThis.Uint8Array = recording
    Original.prototype.constructor = recording
    try {
      await run()
    } finally {
      globalThis.Uint8Array = Original
      Original.prototype.constructor = Original
    }
    expect(made.length).toBeGreaterThan(10)
    return {
      with: (bytes: Uint8Array) => made.filter((array) => Buffer.from(array).includes(Buffer.from(bytes))),
    }
  }
  const known = () => Uint8Array.from({ length: 16 }, (_, at) => at + 100)

  it('leaves the secret in no array of its own after a new beginning', async () => {
    const { open, begin, show } = await opened(known())
    const made = await arraysOf(async () => {
      await open()
      for (const form of ['key', 'phrase']) {
        const { text } = await show(form)
        await withSecret(text as Uint8Array<ArrayBuffer>, () => undefined)
      }
      await begin()
    })
    expect(made.with(known())).toEqual([])
  })

  it('keeps the secret in no array while nothing is shown', async () => {
    const { open, show, clock } = await opened(known())
    const made = await arraysOf(async () => {
      await open()
    })
    expect(made.with(known())).toEqual([])
    const later = await arraysOf(async () => {
      const { text } = await show('key')
      await withSecret(text as Uint8Array<ArrayBuffer>, () => undefined)
      clock.advance(1_000)
    })
    expect(later.with(known())).toEqual([])
    // It can be combined again as long as it may be shown.
    expect(await read(await show('key'))).toMatch(/^0x[0-9a-f]{64}$/)
  })

  it('accepts known requests only', async () => {
    const { ask } = await opened()
    await expect(ask('sign', {})).rejects.toEqual(failure('invalid_request_arguments'))
    await expect(ask('toString', {})).rejects.toEqual(failure('invalid_request_arguments'))
    await expect(ask('show', { form: 'entropy' })).rejects.toEqual(failure('invalid_request_arguments'))
  })
})

describe('the vault of the wallet frame', () => {
  const mayHave = async () => {
    const disk = emptyDisk()
    const mine = await testWallet(disk)
    await mine.adopt()
    const { publicKey: vaultKey } = await exportVault().begin()
    return { disk, mine, vaultKey, wallet: mine.wallet }
  }

  it('seals its device share for a step of an open operation', async () => {
    const { mine, wallet, vaultKey } = await mayHave()
    const { operation } = await beginIn(mine.vault)
    const ask = (step: typeof operation) =>
      askWallet(mine.vault, 'sealForExport', { wallet, operation: step, vaultKey })
    await expect(ask({ id: 'operation_of_another', step: 1 })).rejects.toEqual(
      failure('vault_operation_unknown'),
    )
    await expect(ask(operation)).resolves.toMatchObject({ device: { v: 1 } })
    await askWallet(mine.vault, 'end', { operationId: operation.id })
    await expect(ask(operation)).rejects.toEqual(failure('vault_operation_unknown'))
  })

  it('seals no share that this device does not have, nor one of another wallet', async () => {
    const { mine, wallet, vaultKey } = await mayHave()
    const ask = async (vault: typeof mine.vault, about: object) => {
      const { operation } = await beginIn(vault)
      return askWallet(vault, 'sealForExport', { wallet: { ...wallet, ...about }, operation, vaultKey })
    }
    await expect(ask(newVault(emptyDisk()), {})).rejects.toEqual(failure('wallet_not_on_device'))
    await expect(ask(mine.vault, { generation: 2 })).rejects.toEqual(failure('wallet_not_on_device'))
    await expect(ask(mine.vault, { address: `0x${'1'.repeat(40)}` })).rejects.toEqual(
      failure('share_mismatch'),
    )
    await expect(ask(mine.vault, {})).resolves.toBeDefined()
  })
})
