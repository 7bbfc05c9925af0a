/**
 * The mock of `@latchkey/testing` in its two environments: with React in a browser, and as a package in Node.
 */
import { execFileSync } from 'node:child_process'
import type { Control } from '@latchkey/testing/mock'
import { type Hex, verifyMessage } from 'viem'
import { test } from '../mock/open-page.ts'
import { expect } from '../test.ts'

test('the React hooks work on the mock: a page logs in, is refused, signs and logs out', async ({
  page,
  openPage,
}) => {
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  await openPage('react')
  const state = page.getByTestId('state')
  const shows = (authenticated: boolean, isModalOpen = false) =>
    expect(state).toHaveText(JSON.stringify({ ready: true, authenticated, isModalOpen }))
  const control = (run: (control: Control) => unknown) =>
    page.evaluate(`void (${run.toString()})(globalThis.control)`)
  const button = (name: string) => page.getByRole('button', { name })

  await shows(false)
  await control((control) => control.setPerson('waits'))
  await button('Log in').click()
  await shows(false, true)
  await control((control) => control.waiting[0]?.refuse())
  await shows(false)
  await button('Log in').click()
  await control((control) => control.waiting[0]?.approve())
  await shows(true)
  await expect(page.getByText('Hello mira@example.com')).toBeVisible()
  await expect(page.getByTestId('wallets')).toHaveText(/^0x[0-9a-fA-F]{40} eip155:1$/)
  await control((control) => control.switchChain(10))
  await expect(page.getByTestId('wallets')).toHaveText(/ eip155:10$/)

  await control((control) => control.setPerson('approves'))
  await button('Sign').click()
  const outcomes = () => page.evaluate(() => Reflect.get(globalThis, 'outcomes') as [string, Hex][])
  await expect.poll(outcomes).toHaveLength(3)
  const [refused, loggedIn, signed] = await outcomes()
  expect([refused, loggedIn, signed?.[0]]).toEqual([['login', 'exited_auth_flow'], ['login', true], 'signed'])
  const [address] = ((await page.getByTestId('wallets').textContent()) ?? '').split(' ')
  const proof = { address: address as Hex, message: 'Two herons', signature: signed?.[1] ?? '0x' }
  expect(await verifyMessage(proof)).toBe(true)

  await control((control) => control.setStatus('unreachable'))
  await expect(page.getByText('It can not be reached')).toBeVisible()
  await control((control) => control.setStatus('ready'))
  await expect(page.getByText('It can not be reached')).toBeHidden()
  await button('Log out').click()
  await shows(false)
  expect((await outcomes()).at(-1)).toEqual(['logout'])
  expect(errors).toEqual([])
})

test('the built package runs in Node without network access and lets the process exit', () => {
  const program = `
    import { LatchkeyError } from '@latchkey/loader'
    import { stateOf } from '@latchkey/loader/state'
    import { mockLatchkey } from '@latchkey/testing/mock'
    globalThis.fetch = () => { throw new Error('Unexpected network access') }
    const latchkey = mockLatchkey({ user: { email: 'mira@example.com' } })
    const { subscribe, getSnapshot } = stateOf(latchkey)
    await new Promise((resolve) => subscribe(() => getSnapshot().status === 'ready' && resolve()))
    latchkey.control.next('login').refuse()
    await latchkey.control.logOut()
    const error = await latchkey.login().catch((error) => error)
    const provider = await latchkey.getEthereumProvider()
    await latchkey.login()
    const { signature } = await latchkey.signMessage('Two herons')
    const accounts = await provider.request({ method: 'eth_accounts' })
    await latchkey.control.setStatus('unreachable')
    latchkey.control.next('getUser')
    console.log(JSON.stringify([error instanceof LatchkeyError, error.code, signature.length, accounts.length, typeof window]))
  `
  const { NODE_OPTIONS, ...env } = process.env
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', program], {
    cwd: import.meta.dirname,
    env,
    encoding: 'utf8',
    timeout: 20_000,
  })
  expect(JSON.parse(output)).toEqual([true, 'exited_auth_flow', 132, 1, 'undefined'])
})
