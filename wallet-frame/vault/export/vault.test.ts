/** The vault that gives a key to its user: what it opens, once, and what it then shows. */

import { mnemonicToAccount, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { testClock } from '../../testing/clock.ts'
import { ask as askWallet, beginIn, madeWallet, newVault } from '../../testing/made-wallet.ts'
import { emptyDisk, type MemoryDisk, memoryDatabase } from '../../testing/memory-database.ts'
import { withSecret } from '../secret-bytes.ts'
import { createExportVault } from './vault.ts'

const operation = { id: 'operation_of_the_frame', step: 2 }
const failure = (code: string) => expect.objectContaining({ code })

function exportVault(disk: MemoryDisk, clock: ReturnType<typeof testClock> = testClock()) {
  const vault = createExportVault({ openDatabase: () => memoryDatabase(disk), clock })
  let calls = 0
  async function ask(name: string, input: object = {}): Promise<unknown> {
    const answer = await vault.call({ id: String(++calls), name, input })
    if (!answer.ok) throw Object.assign(new Error(answer.error.message), answer.error)
    return answer.value
  }
  const begin = async () => (await ask('begin')) as { readonly publicKey: string }
  const show = async (form: string) => (await ask('show', { form })) as { readonly text: Uint8Array }
  return { clock, ask, begin, show, vault }
}
const read = async ({ text }: { readonly text: Uint8Array }) => new TextDecoder().decode(text)

async function opened(entropy?: Uint8Array<ArrayBuffer>, clock?: ReturnType<typeof testClock>) {
  const disk = emptyDisk()
  const mine = await madeWallet(disk, entropy)
  await mine.adopt()
  const here = exportVault(disk, clock)
  const { publicKey } = await here.begin()
  const auth = await mine.release({ publicKey, operation }, 'auth', {}, null, 'export')
  return {
    ...here,
    mine,
    disk,
    publicKey,
    auth,
    open: () => here.ask('open', { wallet: mine.wallet, operation, auth }),
  }
}

describe('the vault of the export page', () => {
  // spec W2.27
  it('shows the key and the phrase that give the address of the wallet', async () => {
    const { open, show, mine } = await opened()
    expect(await open()).toEqual({ forms: ['key', 'phrase'] })
    const key = await read(await show('key'))
    expect(key).toMatch(/^0x[0-9a-f]{64}$/)
    expect(privateKeyToAccount(key as `0x${string}`).address).toBe(mine.wallet.address)
    const phrase = await read(await show('phrase'))
    expect(phrase.split(' ')).toHaveLength(12)
    expect(mnemonicToAccount(phrase).address).toBe(mine.wallet.address)
  })

  it('opens what was released for it once, and again only what is released anew', async () => {
    const { open, begin, ask, mine } = await opened()
    await open()
    await expect(open()).rejects.toEqual(failure('vault_operation_unknown'))
    const { publicKey } = await begin()
    const auth = await mine.release({ publicKey, operation }, 'auth', {}, null, 'export')
    await expect(ask('open', { wallet: mine.wallet, operation, auth })).resolves.toBeDefined()
  })

  it('has nothing to show before something was opened, and nothing of what a new beginning left', async () => {
    const { open, begin, show } = await opened()
    await expect(show('key')).rejects.toEqual(failure('vault_operation_unknown'))
    await open()
    await begin()
    await expect(show('key')).rejects.toEqual(failure('vault_operation_unknown'))
  })

  it('shows nothing ten minutes later', async () => {
    const { open, show, clock } = await opened()
    await open()
    clock.advance(10 * 60_000 - 1)
    await expect(show('key')).resolves.toBeDefined()
    clock.advance(1)
    await expect(show('key')).rejects.toEqual(failure('vault_operation_unknown'))
  })

  it('shows nothing ten minutes later, also where no timer came, as after a machine slept', async () => {
    const late = { ...testClock(), after: () => () => false }
    const { open, show, clock } = await opened(undefined, late)
    await open()
    clock.advance(10 * 60_000 - 1)
    await expect(show('key')).resolves.toBeDefined()
    clock.advance(1)
    await expect(show('key')).rejects.toEqual(failure('vault_operation_unknown'))
  })

  it.each([
    ['of another step', { operation: { ...operation, step: 3 } }, 'envelope_refused'],
    ['for another address', { address: `0x${'1'.repeat(40)}` }, 'share_mismatch'],
    ['of another generation', { generation: 2 }, 'wallet_not_on_device'],
  ])('refuses what is %s', async (_what, { operation: step = operation, ...about }: Change, code) => {
    const { ask, mine, auth, show } = await opened()
    const asked = ask('open', { wallet: { ...mine.wallet, ...about }, operation: step, auth })
    await expect(asked).rejects.toEqual(failure(code))
    await expect(show('key')).rejects.toEqual(failure('vault_operation_unknown'))
  })
  type Change = {
    readonly operation?: typeof operation
    readonly address?: string
    readonly generation?: number
  }

  it('asks for a share of this device before it uses what was released up', async () => {
    const { mine, auth: _ofAnother } = await opened()
    const elsewhere = exportVault(emptyDisk())
    const { publicKey } = await elsewhere.begin()
    const auth = await mine.release({ publicKey, operation }, 'auth', {}, null, 'export')
    const open = () => elsewhere.ask('open', { wallet: mine.wallet, operation, auth })
    await expect(open()).rejects.toEqual(failure('wallet_not_on_device'))
    await expect(open()).rejects.toEqual(failure('wallet_not_on_device'))
  })

  it('is another one than that of the wallet frame, which shows nothing to anybody', async () => {
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

  /** Every array that is made while something runs, of which some bytes may be what was asked not to stay. */
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

  it('leaves the secret in no array of its own once it was begun anew', async () => {
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

  it('keeps the secret in no array while nothing is shown, neither before nor after', async () => {
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

  it('hears only what it knows', async () => {
    const { ask } = await opened()
    await expect(ask('sign', {})).rejects.toEqual(failure('invalid_request_arguments'))
    await expect(ask('toString', {})).rejects.toEqual(failure('invalid_request_arguments'))
    await expect(ask('show', { form: 'entropy' })).rejects.toEqual(failure('invalid_request_arguments'))
  })
})
